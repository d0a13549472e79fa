/**
 * Measures the parts of recall in one process: deduplication, selection, formatting, token counting, and the memory of
 * an assembly. Arguments: the store and the output file.
 */
import { openMemory } from "../../src/db/memory/open-store.ts";
import { assembleContext } from "../../src/recall/context/assemble.ts";
import type { Candidate } from "../../src/recall/context/candidate.ts";
import { composeContext } from "../../src/recall/context/compose.ts";
import { CONTEXT_TYPES } from "../../src/recall/context/context-types.ts";
import { deduplicated } from "../../src/recall/context/deduplicate.ts";
import { experienceCandidate, memoryCandidate } from "../../src/recall/context/formats.ts";
import { storeSearcher } from "../../src/recall/search/store-searcher.ts";
import { openTokenCounter } from "../../src/text/tokens/tokens.ts";
import { experienceAt, memoryText } from "./recall-entries.ts";

/** Milliseconds by step, and bytes. */
export type Parts = {
  readonly "deduplicating 200 items": number;
  readonly "deduplicating 200 long items of few words": number;
  readonly "selecting and formatting 200 items": number;
  readonly "counting a context": number;
  readonly assemblyBytes: number;
};

const ITEMS = 200;
const RUNS = 15;

function middle(run: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const started = performance.now();
    run();
    return performance.now() - started;
  });
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}

/** Half of them are memories; a fifth of those occur twice, with one more word. */
const candidates = (): readonly Candidate[] =>
  Array.from({ length: ITEMS }, (_, at) => {
    if (at % 2 === 1) return experienceCandidate(experienceAt(at), "full", 0.9 - at / 1_000);
    const content = at % 10 === 0 ? `${memoryText(at + 2)} again` : memoryText(at);
    const memory = { id: `mem-${at}`, content, category: "fact", importance: 1, created_at: "" } as const;
    return memoryCandidate(memory, 0.9 - at / 1_000);
  });

/** All made of the same words but different: no cheap check tells them apart. */
const alike = (): readonly Candidate[] =>
  Array.from({ length: ITEMS }, (_, at) => {
    const content = Array.from({ length: 500 }, (_, place) => FEW[Bun.hash.crc32(`${at} ${place}`) % FEW.length]).join(
      " ",
    );
    const memory = { id: `mem-${at}`, content, category: "fact", importance: 1, created_at: "" } as const;
    return memoryCandidate(memory, 0.9 - at / 1_000);
  });
const FEW = ["a", "be", "sea", "deed", "each", "effect", "gauge", "hatch", "ices", "jade", "kale"];

const [path = "", out = ""] = process.argv.slice(2);
const counter = await openTokenCounter("o200k_base", { margin: 0 });
const uncached = await openTokenCounter("o200k_base", { margin: 0, remember: false });
const items = candidates();
const plan = {
  title: "Context",
  sources: [{ weight: 1, sections: [{ title: "All", candidates: items }] }],
  closing: () => "",
};
const quiet = { counter, onNotice: () => {} };
const store = openMemory(path, "read");
const unindexed = (): never => {
  throw new Error("there is no index");
};
const searcher = storeSearcher({ store, knowledge: unindexed, entryVectors: null, indexVectors: null });
const deps = { searcher, ...quiet, deadline: () => AbortSignal.timeout(10_000) };
const request = { query: "the worker keeps a handle open", types: CONTEXT_TYPES, limit: 100, maxTokens: 8_000 };
const assemble = () => assembleContext(deps, request, new AbortController().signal);

const few = alike();
const { markdown } = await assemble();
Bun.gc(true);
const before = process.memoryUsage().rss;
await assemble();
const assemblyBytes = Math.max(0, process.memoryUsage().rss - before);
const parts: Parts = {
  "deduplicating 200 items": middle(() => deduplicated(candidates())),
  "deduplicating 200 long items of few words": middle(() => deduplicated(few)),
  "selecting and formatting 200 items": middle(() => composeContext(quiet, plan, 20_000)),
  "counting a context": middle(() => uncached.count(markdown)),
  assemblyBytes,
};
store.close();
await Bun.write(out, JSON.stringify(parts));
