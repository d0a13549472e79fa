/**
 * Drops duplicates: equal ids, the same path in code and commits, or nearly the same text.
 *
 * The most relevant one stays; among equals, the one of the earlier source. Equal paths are duplicates only across sources: two
 * definitions of one file are distinct. A value duplicates the experience that supplies its text.
 */
import type { Candidate } from "./candidate.ts";
import { CONTEXT_TYPES } from "./context-types.ts";
import { type Fingerprint, fingerprint, textComparer } from "./similarity.ts";

/** The distinct candidates, most relevant first. */
export function deduplicated(candidates: readonly Candidate[]): readonly Candidate[] {
  const kept: Candidate[] = [];
  const ids = new Set<string>();
  const represented = new Set<string>();
  const typeOfPath = new Map<string, Candidate["type"]>();
  const texts: Fingerprint[] = [];
  const areSame = textComparer();
  for (const candidate of candidates.toSorted(mostRelevantFirst)) {
    const { id, of, paths, type } = candidate;
    if (ids.has(id) || represented.has(id) || (of !== null && ids.has(of))) continue;
    if (paths.some((path) => (typeOfPath.get(path) ?? type) !== type)) continue;
    if (candidate.text !== null) {
      const print = fingerprint(candidate.text);
      if (texts.some((other) => areSame(print, other))) continue;
      texts.push(print);
    }
    kept.push(candidate);
    ids.add(id);
    if (of !== null) represented.add(of);
    for (const path of paths) typeOfPath.set(path, type);
  }
  return kept;
}

/** Orders by relevance, then source, then id. */
export const mostRelevantFirst = (a: Candidate, b: Candidate): number =>
  b.relevance - a.relevance ||
  CONTEXT_TYPES.indexOf(a.type) - CONTEXT_TYPES.indexOf(b.type) ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
