/**
 * The WebAssembly modules of runtime and grammars, each compiled once for all threads.
 *
 * A module that is sent to another thread shares its compiled code, including the optimized code of hot functions, so that
 * threads that start later need not warm up.
 */
import { readFileSync } from "node:fs";
import runtimeWasm from "../../../dist/grammars/web-tree-sitter.wasm.zst" with { type: "file" };
import { PARSED_LANGUAGES } from "../../languages/languages.ts";
import { STORED_BYTES_MAX, unpackZstd } from "../../text/zstd.ts";

/** A module, with the path of the embedded file that it is compiled from. */
export type NamedModule = { readonly path: string; readonly module: WebAssembly.Module };

export const RUNTIME_PATH: string = runtimeWasm;

const known = new Map<string, WebAssembly.Module>();

/** The module of an embedded file, compiled on first use. Throws if the file is not WebAssembly. */
export function moduleOf(path: string): WebAssembly.Module {
  const module = known.get(path) ?? new WebAssembly.Module(unpack(path));
  known.set(path, module);
  return module;
}

const compiling = new Map<string, Promise<WebAssembly.Module>>();

/** As `moduleOf`, compiled beside the thread that asks, which goes on to hear signals. */
function compiledModule(path: string): Promise<WebAssembly.Module> {
  const under = compiling.get(path) ?? compile(path);
  compiling.set(path, under);
  return under;
}

async function compile(path: string): Promise<WebAssembly.Module> {
  const module = known.get(path) ?? (await WebAssembly.compile(unpack(path)));
  known.set(path, module);
  return module;
}

/** The modules of the runtime and of a language's grammar; none if it has no grammar. */
export async function modulesFor(language: string): Promise<readonly NamedModule[]> {
  const parsing = PARSED_LANGUAGES.get(language);
  if (parsing?.kind !== "grammar") return [];
  const paths = [RUNTIME_PATH, (await parsing.load()).wasm];
  return await Promise.all(paths.map(async (path) => ({ path, module: await compiledModule(path) })));
}

/** Frees the modules that nobody else has: those of 18 languages are 31 MB. The next use compiles again. */
export function forgetModules(): void {
  known.clear();
  compiling.clear();
}

/** Registers modules from another thread, which replace compiling them here. */
export function adoptModules(modules: readonly NamedModule[]): void {
  for (const { path, module } of modules) known.set(path, module);
}

/** The bytes of an embedded file. */
export function unpack(path: string): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = unpackZstd(readFileSync(path), STORED_BYTES_MAX);
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, byteOffset, byteLength)
    : new Uint8Array(buffer, byteOffset, byteLength).slice();
}
