/**
 * The tree-sitter runtime of this thread, with the internal functions that finding matches needs.
 *
 * The package's API creates an object for every node and calls into WebAssembly several times for each; reading matches
 * from memory takes a third of the time. The memory layout is that of the pinned version: opening the runtime fails if a
 * function is missing.
 */
import { Parser } from "web-tree-sitter";
import { moduleOf, RUNTIME_PATH } from "./wasm-modules.ts";
import { WORK_COUNTER } from "./work-counter.ts";

/** Addresses are in bytes. */
export const WORD_BYTES = 4;

/** Functions are named as in the runtime; those with the address of a tree read the node in the transfer buffer. */
export type Runtime = {
  /** Its memory, as 32-bit words. A new object whenever memory grows. */
  readonly HEAP32: Int32Array;
  currentQueryProgressCallback: (() => boolean) | null;
  /** The work since it was opened, modulo 2³²: calls of functions and turns of loops, the same for the same text and language. */
  work(): number;
  _malloc(bytes: number): number;
  _free(address: number): void;
  /** The address of the transfer buffer. */
  _ts_init(): number;
  _ts_tree_root_node_wasm(tree: number): void;
  _ts_node_end_index_wasm(tree: number): number;
  /** Puts the node around the node into the transfer buffer; the first word is 0 if there is none. */
  _ts_node_parent_wasm(tree: number): void;
  _ts_node_symbol_wasm(tree: number): number;
  _ts_query_predicates_for_pattern(query: number, pattern: number, count: number): number;
  _ts_query_string_value_for_id(query: number, id: number, length: number): number;
  _ts_query_matches_wasm(query: number, tree: number, ...options: readonly number[]): void;
};

const FUNCTIONS = [
  "_malloc",
  "_free",
  "_ts_init",
  "_ts_tree_root_node_wasm",
  "_ts_node_end_index_wasm",
  "_ts_node_parent_wasm",
  "_ts_node_symbol_wasm",
  "_ts_query_predicates_for_pattern",
  "_ts_query_string_value_for_id",
  "_ts_query_matches_wasm",
] as const satisfies readonly (keyof Runtime)[];

/**
 * In pages of 64 KiB. It begins with as much as the runtime expects, and ends at half a GiB, which is enough for 16 MB of code at 30 bytes
 * a character. Texts that a grammar can read in very many ways take thousands of bytes for each, and every thread has a memory of its own.
 */
const MEMORY = { initial: 512, maximum: 8_192 } as const;

/** Says what an abort means: there is no reason given where memory cannot grow. */
function onAbort(reason: unknown): void {
  if (reason === "") throw new Error(`the text takes more than ${(MEMORY.maximum * 64) / 1024} MiB of memory`);
}

let opened: Promise<Runtime> | null = null;

/** The runtime, opened on first use. Rejects if it is another version. */
export function openRuntime(): Promise<Runtime> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Runtime> {
  // The runtime adds its functions to this object. Its abort message is part of the error and must not be printed.
  const counter: { global: unknown } = { global: null };
  /** The hook through which the runtime receives its module. */
  function instantiateWasm(
    imports: ConstructorParameters<typeof WebAssembly.Instance>[1],
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): void {
    const module = moduleOf(RUNTIME_PATH);
    const instance = new WebAssembly.Instance(module, imports);
    counter.global = instance.exports[WORK_COUNTER];
    receive(instance, module);
  }
  const work = (): number => (counter.global instanceof WebAssembly.Global ? counter.global.value : Number.NaN);
  const wasmMemory = new WebAssembly.Memory(MEMORY);
  const options = { instantiateWasm, wasmMemory, printErr: () => undefined, onAbort, work };
  await Parser.init(options);
  if (!isRuntime(options) || Number.isNaN(work()))
    throw new Error("the tree-sitter runtime is not the one that was expected");
  return options;
}

const isRuntime = (value: object): value is Runtime =>
  FUNCTIONS.every((name) => typeof Reflect.get(value, name) === "function") &&
  Reflect.get(value, "HEAP32") instanceof Int32Array;

/** The address of an object of the package in the runtime's memory. */
export function addressOf(object: object): number {
  const address: unknown = Reflect.get(object, 0);
  if (typeof address !== "number") throw new Error("the tree-sitter runtime does not tell an address");
  return address;
}
