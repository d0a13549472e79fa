/**
 * Parses a short text on the calling thread, which is busy meanwhile: starting a thread takes longer than parsing a few texts.
 *
 * A text that is much work is left to a thread of the pool, so the caller goes on to hear signals, and all limits are those of the pool.
 */

import { openTokenCounter, type TokenCounter } from "../../text/tokens/tokens.ts";
import { TOO_MUCH_WORK } from "../facts/facts.ts";
import { type Measured, measure } from "../facts/measure.ts";
import { CLOSE_TO_LIMIT } from "../facts/text-facts.ts";
import { parseFile } from "./parse.ts";
import { FACTS_MAX } from "./parse-pool.ts";
import { modulesFor } from "./wasm-modules.ts";

/** Some 70 ms; code takes 20 to 70 for each character. */
const WORK_MAX = 6_000_000;
/** WebAssembly memory is never freed, so a process that runs for long goes on with threads. */
const CHARS_MAX = 16 * 1024 * 1024;

let counting: Promise<TokenCounter> | null = null;
let charsDone = 0;
/** The runtime of this thread failed, so its memory may be damaged. */
let isBroken = false;

/** The facts and term statistics of a text, the same as from a pool; null if only a thread of a pool can tell them. */
export async function parseHere(text: string, language: string): Promise<Measured | null> {
  charsDone += text.length;
  if (isBroken || charsDone > CHARS_MAX) return null;
  try {
    // Compiled beside this thread.
    await modulesFor(language);
    const parsed = await parseFile(text, language, { workMax: WORK_MAX, isFresh: false, factsMax: FACTS_MAX });
    const { problem } = parsed;
    if (problem === TOO_MUCH_WORK || problem === CLOSE_TO_LIMIT) return null;
    counting ??= openTokenCounter("o200k_base", { margin: 0, remember: false });
    return measure(text, parsed, language, await counting);
  } catch {
    // A thread of the pool tries it again, and tells what failed.
    isBroken = true;
    return null;
  }
}
