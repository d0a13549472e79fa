/** What a text may take of memory while it is parsed. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../../support/folder.ts";

const PEAK = join(import.meta.dir, "../../support/peak-memory.ts");
const ROOT = join(import.meta.dir, "../../..");
/** Half of what these texts took: as much as WebAssembly gives. */
const MEMORY_BYTES_MAX = 1024 * 1024 * 1024;

const PROBLEM = "the parser failed: the text takes more than 512 MiB of memory";

/** The parser follows every meaning that each sign could have, all at once. */
const PROGRAM = `
const { openParsePool } = await import("./src/syntax/parse/parse-pool.ts");
const pool = openParsePool({ workersMax: 1 });
const text = ("a<b<c<".repeat(10) + "\\n").repeat(16_000);
const parsed = await Promise.all(["java", "java", "csharp"].map((language) => pool.parse({ text, language })));
const { facts } = await pool.parse({ text: "class Cart {}", language: "java" });
process.stdout.write(JSON.stringify([parsed.map(({ facts }) => facts.problem), facts.symbols.length]));
pool.close();
`;

test("is bounded, and other texts are parsed afterwards", async () => {
  using folder = tempFolder();
  const peak = join(folder.path, "peak");
  const run = Bun.spawn([process.execPath, PEAK, peak, ROOT, process.execPath, "-e", PROGRAM], { stdout: "pipe" });
  expect(await new Response(run.stdout).text()).toBe(JSON.stringify([[PROBLEM, PROBLEM, PROBLEM], 1]));
  await run.exited;
  expect(Number(readFileSync(peak, "utf8"))).toBeLessThan(MEMORY_BYTES_MAX);
});
