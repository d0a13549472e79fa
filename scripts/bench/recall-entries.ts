/**
 * Realistic memories and experiences for benchmarks, made of the words of this project's documentation, the same on
 * every run.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../../src/memory/entry.ts";
import type { Experience, Value } from "../../src/memory/experience.ts";
import { DOMAINS, MEMORY_CATEGORIES, OUTCOMES, STRATEGIES } from "../../src/memory/vocabulary.ts";

const ROOT = join(import.meta.dir, "..", "..");
const WORDS = [...new Set(readFileSync(join(ROOT, "src", "ARCHITECTURE.md"), "utf8").match(/[a-z]{3,}/g) ?? ["word"])];

/** Pseudo-random numbers from a seed. */
function drawn(from: number): () => number {
  let state = (from * 2_654_435_761 + 1) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** `count` words; few are frequent and most are rare, as in prose. */
function prose(next: () => number, length: number): string {
  return Array.from({ length }, () => WORDS[Math.floor(next() ** 2 * WORDS.length)]).join(" ");
}

const pick = <T>(list: readonly [T, ...T[]], next: () => number): T =>
  list[Math.floor(next() * list.length)] ?? list[0];
const hex = (number: number): string => number.toString(16).padStart(12, "0");
const moment = (at: number): string => new Date(1_700_000_000_000 + at * 3_600_000).toISOString();

/** A text as long as a memory. */
export const memoryText = (at: number): string => prose(drawn(at), 40);

export function experienceAt(at: number): Experience {
  const next = drawn(at + 1_000_000);
  return {
    id: `exp-${hex(at)}`,
    domain: pick(DOMAINS, next),
    strategy: pick(STRATEGIES, next),
    goal: prose(next, 12),
    iterations: [{ hypothesis: prose(next, 18), action: prose(next, 18), prediction: prose(next, 12) }],
    outcome: { status: pick(OUTCOMES, next), result: prose(next, 14) },
    surprise: next() < 0.5 ? prose(next, 14) : null,
    root_cause: next() < 0.5 ? { category: "oversight", description: prose(next, 12) } : null,
    lesson: { what_worked: prose(next, 14), takeaway: null },
    confidence: "silver",
    task_id: null,
    created_at: moment(at),
    updated_at: moment(at),
  };
}

/** Half of them are memories. */
export const entriesOf = (count: number): readonly Entry[] =>
  Array.from({ length: count }, (_, at): Entry => {
    if (at % 2 === 1) return { type: "experience", ...experienceAt(at) };
    const category = pick(MEMORY_CATEGORIES, drawn(at));
    return {
      type: "memory",
      id: `mem-${hex(at)}`,
      content: memoryText(at),
      category,
      importance: 0.5,
      created_at: moment(at),
    };
  });

export const valuesOf = (experiences: readonly Experience[]): readonly Value[] =>
  experiences.map(({ id, domain, strategy, lesson }, at) => ({
    id: `val-${hex(at)}`,
    axis: "full",
    cluster_id: `full-${at}`,
    cluster_size: 5,
    text: lesson?.what_worked ?? "",
    similarity_to_centroid: 0.8,
    domains: [domain],
    strategies: [strategy],
    experience_ids: [id],
  }));
