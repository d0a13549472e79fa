/**
 * Runs a program and writes its peak memory, in bytes, to a file: `bun peak-memory.ts <file> <program> [argument ...]`.
 *
 * A process of its own, because Linux starts a child's peak at the size of its parent, and a process that runs tests is
 * large. Streams are inherited; exits as the program does.
 */
import { writeFileSync } from "node:fs";

const [file = "", ...command] = process.argv.slice(2);
const child = Bun.spawn(command, { stdio: ["inherit", "inherit", "inherit"] });
const code = await child.exited;
writeFileSync(file, String(child.resourceUsage()?.maxRSS ?? Number.POSITIVE_INFINITY));
process.exit(code);
