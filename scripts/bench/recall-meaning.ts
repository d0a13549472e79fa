/**
 * Vectors of realistic length for the recall benchmark, and a server that returns them, so that only cra's own time is
 * measured. The numbers are pseudo-random and have no meaning.
 */
import { join } from "node:path";
import { z } from "zod";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { openMemory } from "../../src/db/memory/open-store.ts";
import { openVectorCache } from "../../src/db/vectors/vector-cache.ts";
import { axisText } from "../../src/memory/experience-text.ts";
import { unit } from "../../src/memory/text-vector.ts";
import { textHash } from "../../src/recall/search/embed.ts";
import { openIndexVectorSearch } from "../../src/recall/search/index-vector-search.ts";
import { openQueryVectors } from "../../src/recall/search/query-vectors.ts";

const Asked = z.object({ input: z.array(z.string()) });

const MODEL = "drawn";
const DIMENSIONS = 768;
const VECTORS = 50_000;
const RUNS = 7;

/** Pseudo-random numbers, the same for the same seed. */
function drawn(seed: number): Float32Array {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  const vector = new Float32Array(DIMENSIONS);
  for (let at = 0; at < DIMENSIONS; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    vector[at] = (state >>> 0) / 4_294_967_296 - 0.45;
  }
  return unit(vector);
}

/** Stores a vector for everything in a data folder. */
export function storeMeaning(data: string): void {
  const store = openMemory(join(data, "memory.sqlite"), "write");
  const texts = new Map(store.experiences().map((experience) => [experience.id, experience]));
  const keys = store.unembedded(MODEL, Number.MAX_SAFE_INTEGER);
  for (let at = 0; at < keys.length; at += 500) {
    const rows = keys.slice(at, at + 500).map((key, place) => {
      const experience = texts.get(key.id);
      const text = experience === undefined || key.axis === null ? "" : (axisText(experience, key.axis) ?? "");
      return { ...key, vector: drawn(at + place), textHash: textHash(text) };
    });
    store.putVectors(MODEL, rows);
  }
  store.close();
  const kb = openKnowledgeBase(join(data, "curated.sqlite"), data);
  const cache = openVectorCache(join(data, "vectors.sqlite"), "write");
  const all = [...kb.textKeys("definitions"), ...kb.textKeys("commits")];
  cache.put(
    MODEL,
    all.map(({ key }, at) => ({ key, vector: drawn(at) })),
  );
  cache.close();
  kb.close();
}

/** Serves a vector for any text until it is disposed. */
export function serveMeaning(): Disposable & { readonly model: string; readonly url: string } {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { input } = Asked.parse(await request.json());
      return Response.json({ model: MODEL, embeddings: input.map((text) => [...drawn(text.length)]) });
    },
  });
  return { model: MODEL, url: `http://127.0.0.1:${server.port}`, [Symbol.dispose]: () => void server.stop(true) };
}

/** The median time in milliseconds of a query over the definitions of a large repository. */
export async function comparingVectors(folder: string): Promise<number> {
  const cache = openVectorCache(join(folder, "many-vectors.sqlite"), "write");
  const keys = Array.from({ length: VECTORS }, (_, id) => ({ id, key: id }));
  for (let at = 0; at < VECTORS; at += 256)
    cache.put(
      MODEL,
      keys.slice(at, at + 256).map(({ key }) => ({ key, vector: drawn(key) })),
    );
  const embedder = {
    name: MODEL,
    storedAs: MODEL,
    baseUrl: "",
    embed: async (texts: readonly string[]) => ({
      ok: true as const,
      vectors: texts.map(({ length }) => drawn(length)),
    }),
  };
  const none = () => [];
  const index = {
    textKeys: (of: "definitions" | "commits") => (of === "definitions" ? keys : []),
    tellingFirst: none,
    definitionsById: none,
    commitsById: none,
    findDefinitions: none,
    findCommits: none,
  };
  const { signal } = new AbortController();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const queries = openQueryVectors(embedder, () => {});
    await queries.wake(signal);
    const meaning = openIndexVectorSearch({ index, vectors: cache, queries, keeps: true });
    const started = performance.now();
    await meaning.prepare("a query", ["definitions"], signal);
    await meaning.similarities("a query", "definitions", signal);
    times.push(performance.now() - started);
  }
  cache.close();
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}
