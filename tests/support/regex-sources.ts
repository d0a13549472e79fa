/** The regular expressions of the source: written ones, those of queries, and those that are put together when a file loads. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Pattern } from "./regex-steps.ts";

const SOURCE = join(import.meta.dir, "../../src");

/** `file` is relative to `src`. */
export type SourcePattern = Pattern & { readonly file: string };

const filesIn = (): readonly string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
    .sort();

const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<=[(=,:[!&|?{};+\->\n]\s*|\breturn\s)\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/([dgimsuvy]*)/g;

/** The literals of a file. */
export const literalsIn = (text: string): readonly Pattern[] =>
  [...text.matchAll(TOKEN)].flatMap(([, source, flags = ""]) => (source === undefined ? [] : [{ source, flags }]));

const writtenIn = (file: string): readonly SourcePattern[] =>
  literalsIn(readFileSync(join(SOURCE, file), "utf8")).map((pattern) => ({ ...pattern, file }));

/**
 * Imports every file of the source with a constructor that remembers what the source calls it with, and the file that does.
 * Runs in a process of its own.
 */
const REMEMBER = `
const [source, files] = JSON.parse(process.argv[1]);
const Real = RegExp;
const made = [];
const keep = (pattern) => {
  const caller = new Error().stack.split("\\n").find((line) => line.includes("/") && !line.includes("[eval]")) ?? "";
  const file = caller.includes(source + "/") ? caller.split(source + "/")[1].replace(/:.*/, "") : "";
  if (file !== "") made.push({ file, source: pattern.source, flags: pattern.flags });
  return pattern;
};
globalThis.RegExp = new Proxy(Real, {
  construct: (_, words) => keep(Reflect.construct(Real, words, Real)),
  apply: (_, __, words) => keep(Real(...words)),
});
for (const file of files) await import(source + "/" + file);
await Bun.write(Bun.stdout, JSON.stringify(made));
process.exit(0);`;

const QUERY_MATCH = /#(?:not-)?match\?\s+@[\w.]+\s+("(?:\\.|[^"\\])*")/g;

/** The patterns of tree-sitter queries. */
const inQueries = (): readonly SourcePattern[] =>
  readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".scm"))
    .flatMap((file) =>
      [...readFileSync(join(SOURCE, file), "utf8").matchAll(QUERY_MATCH)].map(([, quoted = '""']) => ({
        file,
        source: z.string().parse(JSON.parse(quoted)),
        flags: "",
      })),
    );

const Made = z.array(z.object({ file: z.string(), source: z.string(), flags: z.string() }));

function madeOnLoading(): readonly SourcePattern[] {
  // Entries of processes and threads begin to work when they load.
  const files = filesIn().filter((file) => !/^main|-worker\.ts$/.test(file));
  const child = Bun.spawnSync([process.execPath, "-e", REMEMBER, JSON.stringify([SOURCE, files])], {
    stderr: "inherit",
  });
  return Made.parse(JSON.parse(child.stdout.toString()));
}

/** Each expression once in a file. */
export function sourcePatterns(): readonly SourcePattern[] {
  const all = [...filesIn().flatMap(writtenIn), ...inQueries(), ...madeOnLoading()];
  return [...new Map(all.map((pattern) => [`${pattern.file} ${pattern.source} ${pattern.flags}`, pattern])).values()];
}
