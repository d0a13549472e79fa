/**
 * The WebAssembly modules of runtime and grammars, each compiled once for all threads.
 *
 * A module that is handed to another thread shares what the engine has made of it, the fast code of hot functions too:
 * threads that start later, or in place of others, need not warm up. Not here: running them (`runtime.ts`).
 */
import { readFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import runtimeWasm from "../../../dist/grammars/web-tree-sitter.wasm.zst" with { type: "file" };

/** A module, by the path of the embedded file that it is compiled from. */
export type NamedModule = { readonly path: string; readonly module: WebAssembly.Module };

export const RUNTIME_PATH: string = runtimeWasm;

const known = new Map<string, WebAssembly.Module>();

/** The module of an embedded file, compiled on first use. Throws when the file is no WebAssembly. */
export function moduleOf(path: string): WebAssembly.Module {
  const module = known.get(path) ?? new WebAssembly.Module(unpack(path));
  known.set(path, module);
  return module;
}

/** Takes modules from another thread, to be used instead of compiling them here. */
export function adoptModules(modules: readonly NamedModule[]): void {
  for (const { path, module } of modules) known.set(path, module);
}

/** The bytes of an embedded file. */
export const unpack = (path: string): Buffer<ArrayBuffer> => zstdDecompressSync(readFileSync(path));
