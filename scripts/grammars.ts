/**
 * Makes `dist/grammars/`: the tree-sitter runtime, the grammars and the tokenizers' vocabularies, compressed, as the
 * build embeds them.
 *
 * Sources are the pinned packages in `node_modules`. Run again it does nothing: a file is made only when
 * it is missing or older than its source or than this script. Written to a temporary name and renamed,
 * so that two runs at once cannot leave half a file.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENCODINGS, makeVocabulary, ranksPath } from "./vocabularies.ts";

/** zstd's level: 19 makes the grammars about a tenth of their size; unpacking costs the same at every level. */
const LEVEL = 19;

const ROOT = join(import.meta.dir, "..");

const VSCODE = "node_modules/@vscode/tree-sitter-wasm/wasm";
const REPOMIX = "node_modules/@repomix/tree-sitter-wasms/out";

/** Every embedded WebAssembly file: its name in `dist/grammars` (without `.zst`) and where it comes from. */
const EMBEDDED_WASM: Readonly<Record<string, string>> = {
  // The runtime must be of the same version as the JavaScript that loads it, so it is web-tree-sitter's own.
  "web-tree-sitter.wasm": "node_modules/web-tree-sitter/web-tree-sitter.wasm",
  "tree-sitter-bash.wasm": `${VSCODE}/tree-sitter-bash.wasm`,
  "tree-sitter-c-sharp.wasm": `${VSCODE}/tree-sitter-c-sharp.wasm`,
  "tree-sitter-cpp.wasm": `${VSCODE}/tree-sitter-cpp.wasm`,
  "tree-sitter-css.wasm": `${VSCODE}/tree-sitter-css.wasm`,
  "tree-sitter-go.wasm": `${VSCODE}/tree-sitter-go.wasm`,
  "tree-sitter-java.wasm": `${VSCODE}/tree-sitter-java.wasm`,
  "tree-sitter-javascript.wasm": `${VSCODE}/tree-sitter-javascript.wasm`,
  "tree-sitter-php.wasm": `${VSCODE}/tree-sitter-php.wasm`,
  "tree-sitter-python.wasm": `${VSCODE}/tree-sitter-python.wasm`,
  "tree-sitter-ruby.wasm": `${VSCODE}/tree-sitter-ruby.wasm`,
  "tree-sitter-rust.wasm": `${VSCODE}/tree-sitter-rust.wasm`,
  "tree-sitter-tsx.wasm": `${VSCODE}/tree-sitter-tsx.wasm`,
  "tree-sitter-typescript.wasm": `${VSCODE}/tree-sitter-typescript.wasm`,
  // What that package lacks, from the one with the next best cover, then from the grammars' own packages.
  "tree-sitter-c.wasm": `${REPOMIX}/tree-sitter-c.wasm`,
  "tree-sitter-dart.wasm": `${REPOMIX}/tree-sitter-dart.wasm`,
  "tree-sitter-solidity.wasm": `${REPOMIX}/tree-sitter-solidity.wasm`,
  "tree-sitter-swift.wasm": `${REPOMIX}/tree-sitter-swift.wasm`,
  "tree-sitter-elixir.wasm": "node_modules/tree-sitter-elixir/tree-sitter-elixir.wasm",
  "tree-sitter-json.wasm": "node_modules/tree-sitter-json/tree-sitter-json.wasm",
  "tree-sitter-scala.wasm": "node_modules/tree-sitter-scala/tree-sitter-scala.wasm",
  "tree-sitter-kotlin.wasm": "node_modules/@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
  "tree-sitter-lua.wasm": "node_modules/@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm",
  "tree-sitter-toml.wasm": "node_modules/@tree-sitter-grammars/tree-sitter-toml/tree-sitter-toml.wasm",
  "tree-sitter-yaml.wasm": "node_modules/@tree-sitter-grammars/tree-sitter-yaml/tree-sitter-yaml.wasm",
  "tree-sitter-zig.wasm": "node_modules/@tree-sitter-grammars/tree-sitter-zig/tree-sitter-zig.wasm",
};

/** The packages that they come from. */
export const GRAMMAR_PACKAGES: readonly string[] = [
  ...new Set(Object.values(EMBEDDED_WASM).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path)),
];

const SWIFT = "tree-sitter-swift.wasm";

/** What is embedded: its name in `dist/grammars` (without `.zst`), the files it is made of, and how. */
type Embedded = { readonly name: string; readonly from: readonly string[]; make(): Uint8Array };

const EMBEDDED: readonly Embedded[] = [
  ...Object.entries(EMBEDDED_WASM).map(([name, source]): Embedded => {
    const from = join(ROOT, source);
    return { name, from: [from], make: () => (name === SWIFT ? mendedSwift(readFileSync(from)) : readFileSync(from)) };
  }),
  ...ENCODINGS.map((name): Embedded => ({ name, from: [ranksPath(name)], make: () => makeVocabulary(name) })),
  { name: "queries", from: filesUnder("grammars", "src/syntax", "package.json"), make: compiledQueries },
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
