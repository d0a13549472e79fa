/**
 * The parse worker: one thread that parses and measures the texts of the pool, one at a time and in order, though more may wait.
 *
 * An error here means that WebAssembly memory may be damaged (an abort, out of memory), so it is reported, and the pool
 * replaces the worker. The error of a worker that has parsed before says nothing of the text: a fresh one decides.
 */
import { ownThread } from "../../concurrency/processor-time.ts";
import { openTokenCounter } from "../../text/tokens/tokens.ts";
import { packMeasured } from "../facts/facts-codec.ts";
import { measure } from "../facts/measure.ts";
import { CLOSE_TO_LIMIT, textFacts } from "../facts/text-facts.ts";
import { parseFile } from "./parse.ts";
import type { ParseReply, ParseRequest } from "./parse-messages.ts";
import { adoptModules } from "./wasm-modules.ts";

declare const self: Worker;

// Standard output belongs to the command, even in a thread, but the runtime prints messages about grammars there.
const { error: aside } = console;
Object.assign(console, { log: aside });

const counting = openTokenCounter("o200k_base", { margin: 0, remember: false });

async function answer({ text, language, problem, modules, packs, ...limits }: ParseRequest): Promise<ParseReply> {
  try {
    adoptModules(modules);
    const parsed = problem === null ? await parseFile(text, language, limits) : textFacts(text, problem);
    if (parsed.problem === CLOSE_TO_LIMIT) return { kind: "unsure" };
    const measured = measure(text, parsed, language, await counting);
    return packs ? { kind: "packed", ...packMeasured(measured) } : { kind: "done", ...measured };
  } catch (error) {
    // What was parsed before may have left too little memory.
    if (!limits.isFresh) return { kind: "unsure" };
    return { kind: "broken", why: error instanceof Error ? error.message : String(error) };
  }
}

/** How much text is parsed between collections of garbage: little else is on the heap, and the engine would let it double. */
const CHARS_PER_COLLECTION = 4 * 1024 * 1024;
let charsSince = 0;

let last = Promise.resolve();
self.addEventListener("message", ({ data }: MessageEvent<ParseRequest>) => {
  // A text can wait for its grammar, and the next one must not overtake it.
  last = last.then(() => work(data));
});

async function work(request: ParseRequest): Promise<void> {
  const reply = await answer(request);
  self.postMessage(reply, buffersOf(reply));
  charsSince += request.text.length;
  if (charsSince < CHARS_PER_COLLECTION) return;
  charsSince = 0;
  Bun.gc(true);
}

/** Buffers that are handed over, not copied. */
function buffersOf(reply: ParseReply): ArrayBuffer[] {
  const parts =
    reply.kind === "done"
      ? [reply.stats]
      : reply.kind === "packed"
        ? [reply.stats, reply.names, reply.packed.facts, reply.packed.uses, reply.packed.prose]
        : [];
  // One that belongs to something else too, or is larger, is copied.
  return parts.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}

counting.then(() => self.postMessage({ kind: "ready", thread: ownThread() } satisfies ParseReply));
