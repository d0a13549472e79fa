/**
 * Chooses the test files to parse for a first answer: those that match the task, and those named after the files that it is
 * likely to change.
 *
 * Tests rank low by their words, because most tasks are about the code that they test. Which files a test imports is not known
 * before it is parsed.
 */
import { testMap } from "../links/test-map.ts";
import type { IndexableFile } from "../model/index-run.ts";

/** What a match counts beside a name, as when tests are chosen for a package (`precision/likely-tests.ts`). */
const OWN_MATCH = 0.7;
/** This many of the best files may bring tests by their names. */
const COVERED_MAX = 10;

/**
 * Ids of tests, the likeliest first. `files` are all files, whose ids are their positions + 1; `best` are ids, best first.
 * `match`: how well a test matches the task by its words, 0 to 1 for the best of all files.
 */
export function testsToParse(
  files: readonly Pick<IndexableFile, "path" | "language" | "isTest">[],
  best: readonly number[],
  matching: readonly { readonly id: number; readonly match: number }[],
): readonly number[] {
  const sources = best.flatMap((id) => files[id - 1] ?? []).filter(({ isTest }) => !isTest);
  const placeOf = new Map(sources.slice(0, COVERED_MAX).map(({ path }, place) => [path, place]));
  const likelihood = new Map(matching.map(({ id, match }) => [id, OWN_MATCH * match]));
  const positions = new Map(files.map(({ path }, position) => [path, position]));
  const named = new Map<number, number>();
  for (const { test, source, score } of testMap(files, positions).links(null, new Set(placeOf.keys()))) {
    const [position, place] = [positions.get(test), placeOf.get(source)];
    if (position === undefined || place === undefined) continue;
    named.set(position + 1, Math.max(named.get(position + 1) ?? 0, score / (place + 1)));
  }
  for (const [id, worth] of named) likelihood.set(id, (likelihood.get(id) ?? 0) + worth);
  return [...likelihood].sort(([a, ofA], [b, ofB]) => ofB - ofA || a - b).map(([id]) => id);
}
