/**
 * Runs a program in a folder and writes its peak memory, in bytes, to a file:
 * `bun peak-memory.ts <file> <folder> <program> [argument ...]`, from another folder, whose settings Bun reads.
 *
 * A process of its own, because Linux starts a child's peak at the size of its parent, and a process that runs tests is
 * large. Streams are inherited; exits as the program does.
 */
import { writeFileSync } from "node:fs";

const [file = "", cwd = ".", ...command] = process.argv.slice(2);
const child = Bun.spawn(command, { cwd, stdio: ["inherit", "inherit", "inherit"] });
const code = await child.exited;
writeFileSync(file, String(child.resourceUsage()?.maxRSS ?? Number.POSITIVE_INFINITY));
process.exit(code);
