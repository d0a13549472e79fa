/**
 * Makes `dist/grammars/`: the tree-sitter runtime, the grammars and the tokenizers' vocabularies, compressed, as the
 * build embeds them.
 *
 * Sources are the pinned packages in `node_modules`. Run again it does nothing: a file is made only when
 * it is missing or older than its source or than this script. Written to a temporary name and renamed,
 * so that two runs at once cannot leave half a file.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { PARSED_LANGUAGES } from "../src/languages/languages.ts";
import { ENCODINGS, makeVocabulary, ranksPath } from "./vocabularies.ts";

/** zstd's level: 19 makes the grammars about a tenth of their size; unpacking costs the same at every level. */
const LEVEL = 19;

const ROOT = join(import.meta.dir, "..");

/** The runtime must be of the same version as the JavaScript that loads it, so it is web-tree-sitter's own. */
const RUNTIME = "web-tree-sitter/web-tree-sitter.wasm";

/** The WebAssembly files that are embedded, by their paths in `node_modules`. */
const EMBEDDED_WASM: readonly string[] = [
  RUNTIME,
  ...[...PARSED_LANGUAGES.values()].flatMap((parsing) => (parsing.kind === "grammar" ? [parsing.wasm] : [])),
];

const SWIFT = "tree-sitter-swift.wasm";

/** What is embedded: its name in `dist/grammars` (without `.zst`), the files it is made of, and how. */
type Embedded = { readonly name: string; readonly from: readonly string[]; make(): Uint8Array };

const EMBEDDED: readonly Embedded[] = [
  ...EMBEDDED_WASM.map((path): Embedded => {
    const name = basename(path);
    const from = join(ROOT, "node_modules", path);
    return { name, from: [from], make: () => (name === SWIFT ? mendedSwift(readFileSync(from)) : readFileSync(from)) };
  }),
  ...ENCODINGS.map((name): Embedded => ({ name, from: [ranksPath(name)], make: () => makeVocabulary(name) })),
  { name: "queries", from: filesUnder("src/languages", "src/syntax", "package.json"), make: compiledQueries },
];

/** Last, since it reads the grammars. */
function compiledQueries(): Uint8Array {
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, join(ROOT, "scripts/queries.ts")]);
  if (!success) throw new Error(`the queries cannot be compiled: ${stderr.toString().trim()}`);
  return stdout;
}

function filesUnder(...paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const whole = join(ROOT, path);
    if (!statSync(whole).isDirectory()) return [whole];
    return readdirSync(whole, { recursive: true, encoding: "utf8" }).map((name) => join(whole, name));
  });
}

/** Brings `dist/grammars` up to date. Returns the names it made (none when nothing had changed). */
export function makeGrammars(outputFolder: string = join(ROOT, "dist/grammars")): readonly string[] {
  mkdirSync(outputFolder, { recursive: true });
  const scriptTime = Math.max(...SCRIPTS.map(modifiedMs));
  return EMBEDDED.flatMap(({ name, from, make }) => {
    const to = join(outputFolder, `${name}.zst`);
    if (modifiedMs(to) >= Math.max(scriptTime, ...from.map(modifiedMs))) return [];
    const partial = `${to}.${process.pid}`;
    writeFileSync(partial, Bun.zstdCompressSync(make(), { level: LEVEL }));
    renameSync(partial, to);
    return [name];
  });
}

/** What the files are made by. */
const SCRIPTS = [
  "scripts/grammars.ts",
  "scripts/vocabularies.ts",
  "scripts/queries.ts",
  "src/text/tokens/vocabulary.ts",
].map((path) => join(ROOT, path));

/** `i32.const 0; i32.const 4; call calloc` */
const EMPTY_STATE = Buffer.from([0x41, 0x00, 0x41, 0x04, 0x10]);

/**
 * The scanner of this Swift grammar asks for no memory to keep its state in (`calloc(0, 4)`) and so reads what others
 * left there: the same text parses in several ways. One element is what it needs. Throws when the package holds
 * another build than the one that was looked at.
 */
function mendedSwift(bytes: Buffer): Buffer {
  const at = bytes.indexOf(EMPTY_STATE);
  if (at < 0 || bytes.indexOf(EMPTY_STATE, at + 1) >= 0)
    throw new Error(`${SWIFT} is not the known build: see whether its scanner still needs mending`);
  const mended = Buffer.from(bytes);
  mended[at + 1] = 1;
  return mended;
}

/** When a file was last changed, in milliseconds; before everything when there is none. */
function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

if (import.meta.main) makeGrammars();
