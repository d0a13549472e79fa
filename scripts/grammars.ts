/**
 * Writes `dist/grammars/`, which the build embeds: the tree-sitter runtime, the grammars, the compiled queries and the
 * vocabularies of the tokenizers, all compressed.
 *
 * Sources are the pinned packages in `node_modules`. A file is written only when it is missing or older than its
 * sources or this script, under a temporary name and then renamed, so concurrent runs cannot leave a partial file.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { PARSED_LANGUAGES } from "../src/languages/languages.ts";
import { meteredRuntime } from "./metered-runtime.ts";
import { ENCODINGS, makeVocabulary, ranksPath } from "./vocabularies.ts";

/** zstd level: 19 would save .5 MB of 135 MB, take twenty times as long in every fresh checkout, and decompress a fifth slower. */
const LEVEL = 9;

const ROOT = join(import.meta.dir, "..");

/** The runtime must have the version of the JavaScript that loads it, so it comes from web-tree-sitter. */
const RUNTIME = "web-tree-sitter/web-tree-sitter.wasm";

/** Embedded WebAssembly files, as paths in `node_modules`. */
const EMBEDDED_WASM: readonly string[] = [
  RUNTIME,
  ...[...PARSED_LANGUAGES.values()].flatMap((parsing) => (parsing.kind === "grammar" ? [parsing.wasm] : [])),
];

const SWIFT = "tree-sitter-swift.wasm";

/** Modules that are changed before they are embedded. */
const CHANGED: Readonly<Record<string, (bytes: Buffer) => Uint8Array>> = {
  [basename(RUNTIME)]: meteredRuntime,
  [SWIFT]: mendedSwift,
};

/** Every embedded file: its name in `dist/grammars` without `.zst`, its sources, and how it is made. */
type Embedded = { readonly name: string; readonly from: readonly string[]; make(): Uint8Array };

const EMBEDDED: readonly Embedded[] = [
  ...EMBEDDED_WASM.map((path): Embedded => {
    const name = basename(path);
    const from = join(ROOT, "node_modules", path);
    return { name, from: [from], make: () => (CHANGED[name] ?? unchanged)(readFileSync(from)) };
  }),
  ...ENCODINGS.map((name): Embedded => ({ name, from: [ranksPath(name)], make: () => makeVocabulary(name) })),
  { name: "queries", from: filesUnder("src/languages", "src/syntax", "package.json"), make: compiledQueries },
];

const unchanged = (bytes: Buffer): Uint8Array => bytes;

/** Comes last because it reads the grammars. */
function compiledQueries(): Uint8Array {
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, join(ROOT, "scripts/queries.ts")]);
  if (!success) throw new Error(`cannot compile the queries: ${stderr.toString().trim()}`);
  return stdout;
}

function filesUnder(...paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const whole = join(ROOT, path);
    if (!statSync(whole).isDirectory()) return [whole];
    return readdirSync(whole, { recursive: true, encoding: "utf8" }).map((name) => join(whole, name));
  });
}

/** Updates `dist/grammars` and returns the names of the files it wrote, none if everything was up to date. */
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

/** The scripts that write the files. */
const SCRIPTS = [
  "scripts/grammars.ts",
  "scripts/metered-runtime.ts",
  "scripts/vocabularies.ts",
  "scripts/queries.ts",
  "src/text/tokens/vocabulary.ts",
].map((path) => join(ROOT, path));

/** `i32.const 0; i32.const 4; call calloc` */
const EMPTY_STATE = Buffer.from([0x41, 0x00, 0x41, 0x04, 0x10]);

/**
 * The scanner of this Swift grammar allocates nothing for its state (`calloc(0, 4)`) and then reads foreign memory, so
 * the same text parses differently from run to run. The patch allocates one element, which is what it needs. Throws if
 * the package holds another build than the one this patch was written for.
 */
function mendedSwift(bytes: Buffer): Buffer {
  const at = bytes.indexOf(EMPTY_STATE);
  if (at < 0 || bytes.indexOf(EMPTY_STATE, at + 1) >= 0)
    throw new Error(`${SWIFT} is not the known build: check if its scanner still needs this patch`);
  const mended = Buffer.from(bytes);
  mended[at + 1] = 1;
  return mended;
}

/** Modification time of a file in milliseconds, -Infinity if it does not exist. */
function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

if (import.meta.main) makeGrammars();
