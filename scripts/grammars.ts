/**
 * Makes `dist/grammars/`: the tree-sitter runtime and the grammars, compressed, as the build embeds them.
 *
 * Sources are the pinned packages in `node_modules`. Run again it does nothing: a file is made only when
 * it is missing or older than its source or than this script. Written to a temporary name and renamed,
 * so that two runs at once cannot leave half a file.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** zstd's level: 19 makes the grammars about a tenth of their size; unpacking costs the same at every level. */
const LEVEL = 19;

const ROOT = join(import.meta.dir, "..");

/** Every embedded WebAssembly file: its name in `dist/grammars` (without `.zst`) and where it comes from. */
export const EMBEDDED_WASM: Readonly<Record<string, string>> = {
  // The runtime must be of the same version as the JavaScript that loads it, so it is web-tree-sitter's own.
  "web-tree-sitter.wasm": "node_modules/web-tree-sitter/web-tree-sitter.wasm",
  "tree-sitter-python.wasm": "node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm",
  "tree-sitter-javascript.wasm": "node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm",
  "tree-sitter-typescript.wasm": "node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm",
  "tree-sitter-tsx.wasm": "node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm",
};

/** Brings `dist/grammars` up to date. Returns the names it made (none when nothing had changed). */
export function makeGrammars(outputFolder: string = join(ROOT, "dist/grammars")): readonly string[] {
  mkdirSync(outputFolder, { recursive: true });
  const scriptTime = modifiedMs(import.meta.path);
  return Object.entries(EMBEDDED_WASM).flatMap(([name, source]) => {
    const from = join(ROOT, source);
    const to = join(outputFolder, `${name}.zst`);
    if (modifiedMs(to) >= Math.max(scriptTime, modifiedMs(from))) return [];
    const partial = `${to}.${process.pid}`;
    writeFileSync(partial, Bun.zstdCompressSync(readFileSync(from), { level: LEVEL }));
    renameSync(partial, to);
    return [name];
  });
}

/** When a file was last changed, in milliseconds; before everything when there is none. */
function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

if (import.meta.main) makeGrammars();
