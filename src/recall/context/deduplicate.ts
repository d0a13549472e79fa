/**
 * Finds what was found twice: the same thing by its id, the same path in code and in commits, or nearly the same text.
 *
 * The most relevant stays; of equals, that of the earlier source. A path makes two the same only across sources: two
 * definitions of one file are two. A value is the same as the experience that its text is taken from.
 */
import type { Candidate } from "./candidate.ts";
import { CONTEXT_TYPES } from "./context-item.ts";
import { type Fingerprint, fingerprint, textComparer } from "./similarity.ts";

/** The most relevant first, each once. */
export function deduplicated(candidates: readonly Candidate[]): readonly Candidate[] {
  const kept: Candidate[] = [];
  const ids = new Set<string>();
  const spokenFor = new Set<string>();
  const typeOfPath = new Map<string, Candidate["type"]>();
  const texts: Fingerprint[] = [];
  const areSame = textComparer();
  for (const candidate of candidates.toSorted(mostRelevantFirst)) {
    const { id, of, paths, type } = candidate;
    if (ids.has(id) || spokenFor.has(id) || (of !== null && ids.has(of))) continue;
    if (paths.some((path) => (typeOfPath.get(path) ?? type) !== type)) continue;
    if (candidate.text !== null) {
      const print = fingerprint(candidate.text);
      if (texts.some((other) => areSame(print, other))) continue;
      texts.push(print);
    }
    kept.push(candidate);
    ids.add(id);
    if (of !== null) spokenFor.add(of);
    for (const path of paths) typeOfPath.set(path, type);
  }
  return kept;
}

/** The order of items: by relevance, then by source, then by id. */
export const mostRelevantFirst = (a: Candidate, b: Candidate): number =>
  b.relevance - a.relevance ||
  CONTEXT_TYPES.indexOf(a.type) - CONTEXT_TYPES.indexOf(b.type) ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
