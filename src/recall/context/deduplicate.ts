/**
 * Drops duplicates: equal ids, the same path in code and commits, or nearly the same text.
 *
 * The most relevant one stays; among equals, the one of the earlier source, then the newest, which may correct the others.
 * Equal paths are duplicates only across sources: two definitions of one file are distinct. Only a commit of one file is about
 * that file; paths of others are not compared. A value duplicates the experience that supplies its text.
 */

import { inOrder } from "../../text/order.ts";
import type { Candidate } from "./candidate.ts";
import { CONTEXT_TYPES } from "./context-types.ts";
import { type Fingerprint, fingerprint, textComparer } from "./similarity.ts";

/** The distinct candidates, most relevant first. */
export const deduplicated = (candidates: readonly Candidate[]): readonly Candidate[] => [
  ...withDuplicates(candidates).keys(),
];

/** The distinct candidates, most relevant first, each with the duplicates that it stands for. */
export function withDuplicates(candidates: readonly Candidate[]): ReadonlyMap<Candidate, readonly Candidate[]> {
  const kept = new Map<Candidate, Candidate[]>();
  const byId = new Map<string, Candidate>();
  const represented = new Map<string, Candidate>();
  const byPath = new Map<string, Candidate>();
  const texts: { readonly print: Fingerprint; readonly of: Candidate }[] = [];
  const areSame = textComparer();
  for (const candidate of candidates.toSorted(mostRelevantFirst)) {
    const { id, of, type } = candidate;
    const paths = candidate.paths.length === 1 ? candidate.paths : [];
    const print = candidate.text === null ? null : fingerprint(candidate.text);
    const same =
      byId.get(id) ??
      represented.get(id) ??
      byId.get(of ?? "") ??
      paths.map((path) => byPath.get(path)).find((other) => other !== undefined && other.type !== type) ??
      texts.find((other) => print !== null && areSame(print, other.print))?.of;
    if (same !== undefined) {
      kept.get(same)?.push(candidate);
      continue;
    }
    kept.set(candidate, []);
    if (print !== null) texts.push({ print, of: candidate });
    byId.set(id, candidate);
    if (of !== null) represented.set(of, candidate);
    for (const path of paths) byPath.set(path, candidate);
  }
  return kept;
}

/** Orders by relevance, then source, then time from the newest, then id. */
export const mostRelevantFirst = (a: Candidate, b: Candidate): number =>
  b.relevance - a.relevance ||
  CONTEXT_TYPES.indexOf(a.type) - CONTEXT_TYPES.indexOf(b.type) ||
  inOrder(b.at ?? "", a.at ?? "") ||
  inOrder(a.id, b.id);
