/**
 * Ranks definitions: their own match with the task's words, their file's score, and whether the task
 * names them or its stack trace ends in them.
 *
 * Constants are those that real issues supported. Not here: which tier a symbol gets (`symbol-tiers.ts`).
 */

import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { SectionKind } from "../../task/query.ts";
import { expandIdentifier, identifiersIn } from "../../text/terms/identifiers.ts";
import { SEGMENT_KINDS } from "../../text/terms/segments.ts";
import { stem } from "../../text/terms/stem.ts";
import { STOP_WORDS } from "../../text/terms/stop-words.ts";
import { largest } from "../lexical/bm25.ts";
import { placesById } from "../lexical/file-places.ts";
import type { ScoredSegments } from "../lexical/lexical.ts";
import type { Anchor } from "../model/anchor.ts";
import type { DefinitionScore, FileScore } from "../model/scores.ts";
import { roundScore } from "./score.ts";

/** More than a score is changed by being rounded. */
const ROUNDED_BY_MAX = 1e-6;
/** Definitions listed at most. */
const DEFINITIONS_MAX = 2_000;
/**
 * What the best file's definitions get for it; those of other files the square root of their file's part of the best.
 * The root keeps a definition that matches well in a file that does not from falling behind a whole file's worth of
 * weak ones: it gains 2.6 and 2.3 points of all@5 in the two halves of the development cases.
 */
const FILE_SHARE = 0.5;
/** A definition of whose own name the title says every word. */
const SAID_IN_TITLE = 0.1;
const TRACE = 0.3;
const QUALIFIED = 0.2;
const HINT = 0.5;
/** Named there. */
const NAMED_IN: Partial<Record<SectionKind, number>> = { title: 0.2, inline: 0.2, prose: 0.25 };
/** Types say less than the code that uses them. */
const TYPE_FACTOR = 0.8;
const TYPE_KINDS: ReadonlySet<string> = new Set(["interface", "type_alias"]);

export type DefinitionInput = {
  readonly kb: KnowledgeBase;
  readonly files: readonly FileRow[];
  readonly segments: ScoredSegments;
  readonly scores: readonly FileScore[];
  readonly anchors: readonly Anchor[];
  readonly factorOf: (path: string) => number;
  /** What tests keep that stand in files which are none (a quarter of the functions of some programs in Rust). */
  readonly inlineTestFactor: number;
  readonly title: string;
};

/** A definition to score: of a file, by its index in the file's facts. */
type Candidate = { readonly file: FileRow; readonly ordinal: number; readonly score: number };

/** The best definitions, best first; ties end on the path and the position in the file. */
export function rankDefinitions(input: DefinitionInput): readonly DefinitionScore[] {
  const { kb, factorOf } = input;
  const listed = bestOf(input, candidatesOf(input));
  const rows = kb.definitionsIn([...new Set(listed.map(({ file }) => file.id))]);
  const firstOf = new Map<number, number>();
  rows.forEach(({ fileId }, at) => {
    if (!firstOf.has(fileId)) firstOf.set(fileId, at);
  });
  const said = shareSaid(input.title);
  const tests = kb.inlineTests();
  return listed
    .flatMap(({ file, ordinal, score }) => {
      const symbol = rows[(firstOf.get(file.id) ?? rows.length) + ordinal];
      if (symbol?.fileId !== file.id) return [];
      const name = SAID_IN_TITLE * said(symbol.name) * factorOf(file.path);
      // Not twice in a file of tests.
      const factor = tests.has(symbol.id) ? Math.min(1, input.inlineTestFactor / factorOf(file.path)) : 1;
      return [{ file, ordinal, symbolId: symbol.id, score: roundScore((score + name) * factor) }];
    })
    .sort(byScore)
    .map(({ file, symbolId, score }) => ({ symbolId, fileId: file.id, score }));
}

/** Candidates in columns, as there may be 100,000. `place` is that of the file. */
type Candidates = {
  readonly place: Int32Array;
  readonly ordinal: Int32Array;
  readonly score: Float64Array;
  readonly count: number;
};

/** Every definition with a score above 0, not rounded yet. */
function candidatesOf(input: DefinitionInput): Candidates {
  const { files, segments, scores, factorOf } = input;
  const best = scores[0]?.total ?? 0;
  const placeOf = placesById(files);
  const named = namedDefinitions(input, placeOf);
  const shares = new Float64Array(files.length);
  if (best > 0)
    for (const { fileId, total } of scores) shares[placeOf.get(fileId) ?? -1] = FILE_SHARE * Math.sqrt(total / best);
  const rows = segments.count + [...named.values()].reduce((sum, { size }) => sum + size, 0);
  const found = { place: new Int32Array(rows), ordinal: new Int32Array(rows), score: new Float64Array(rows) };
  let count = 0;
  const add = (place: number, ordinal: number, score: number): void => {
    if (score <= 0) return;
    found.place[count] = place;
    found.ordinal[count] = ordinal;
    found.score[count] = score;
    count += 1;
  };
  for (let row = 0; row < segments.count; ) {
    const place = segments.place[row] ?? 0;
    const share = shares[place] ?? 0;
    const factor = factorOf(files[place]?.path ?? "");
    const bonuses = named.get(place);
    for (; row < segments.count && segments.place[row] === place; row += 1) {
      const ordinal = segments.ordinal[row] ?? -1;
      if (ordinal < 0) continue;
      const bonus = bonuses === undefined ? 0 : (bonuses.get(ordinal)?.bonus ?? 0);
      const ofKind = KIND_FACTORS[segments.kind[row] ?? 0] ?? 1;
      add(place, ordinal, ((segments.score[row] ?? 0) + share + bonus) * factor * ofKind);
      if (bonus > 0) bonuses?.delete(ordinal);
    }
  }
  // what the task names without sharing any other word with it, one-line constants among them
  for (const [place, bonuses] of named) {
    const factor = factorOf(files[place]?.path ?? "");
    for (const [ordinal, { bonus, kind }] of bonuses)
      add(place, ordinal, ((shares[place] ?? 0) + bonus) * factor * typeFactor(kind));
  }
  return { ...found, count };
}

/** How much of a name a title says, 0 to 1: the part of its words whose stems are there, words that say little apart. */
function shareSaid(title: string): (name: string) => number {
  const stemsOf = (name: string): readonly string[] => {
    const [whole, ...parts] = expandIdentifier(name);
    const words = parts.length > 0 ? parts : whole === undefined ? [] : [whole];
    return words.filter((word) => !STOP_WORDS.has(word)).map(stem);
  };
  const there = new Set(identifiersIn(title).flatMap(stemsOf));
  // Names come again and again: a method is called the same in many classes.
  const known = new Map<string, number>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const words = stemsOf(name);
    const share = words.length === 0 ? 0 : words.filter((word) => there.has(word)).length / words.length;
    known.set(name, share);
    return share;
  };
}

const typeFactor = (kind: string): number => (TYPE_KINDS.has(kind) ? TYPE_FACTOR : 1);
/** By the number of the kind. */
const KIND_FACTORS = SEGMENT_KINDS.map(typeFactor);

/** Cut before sorting, and rounded after cutting: rounding keeps the order, so what is cut is the same. */
function bestOf({ files }: DefinitionInput, { place, ordinal, score, count }: Candidates): readonly Candidate[] {
  const least = roundScore(leastOfBest(score.subarray(0, count)));
  const best: Candidate[] = [];
  for (let row = 0; row < count; row += 1) {
    const file = files[place[row] ?? -1];
    const exact = score[row] ?? 0;
    if (exact < least - ROUNDED_BY_MAX) continue;
    const value = roundScore(exact);
    if (value > 0 && value >= least && file !== undefined)
      best.push({ file, ordinal: ordinal[row] ?? -1, score: value });
  }
  return best.sort(byScore).slice(0, DEFINITIONS_MAX);
}

/** The score of the last of the `DEFINITIONS_MAX` best; 0 when there are fewer. */
function leastOfBest(scores: Float64Array): number {
  const best = largest(scores);
  // Most score far below the best, and need not be sorted to be left out.
  const above = new Float64Array(scores.length);
  for (let bound = best / 2; bound > best / 32; bound /= 2) {
    let count = 0;
    for (let row = 0; row < scores.length; row += 1) {
      const score = scores[row] ?? 0;
      if (score >= bound) above[count++] = score;
    }
    if (count >= DEFINITIONS_MAX) return above.subarray(0, count).sort()[count - DEFINITIONS_MAX] ?? 0;
  }
  return scores.toSorted()[scores.length - DEFINITIONS_MAX] ?? 0;
}

const byScore = (a: Candidate, b: Candidate): number =>
  b.score - a.score || (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : 0) || a.ordinal - b.ordinal;

type Named = { bonus: number; readonly kind: string };

/**
 * What anchors add, by place of the file and index in it. Of each kind of mention the strongest counts, shared among
 * what it can mean.
 */
function namedDefinitions(
  { kb, anchors }: DefinitionInput,
  placeOf: ReadonlyMap<number, number>,
): Map<number, Map<number, Named>> {
  const shares = new Map<number, Map<string, number>>();
  const fileIds = new Set<number>();
  for (const { kind, section, codeLike, files, symbols, value } of anchors) {
    const weight = weightOf(kind, section);
    if (weight === 0 || symbols.length === 0) continue;
    for (const id of files) if (placeOf.has(id)) fileIds.add(id);
    const group = kind === "definition" ? section : kind;
    const strength = kind === "trace" ? value : kind === "definition" && !codeLike ? 0.3 : 1;
    for (const id of symbols) {
      const known = shares.get(id) ?? new Map<string, number>();
      known.set(group, Math.max(known.get(group) ?? 0, (weight * strength) / symbols.length));
      shares.set(id, known);
    }
  }
  const named = new Map<number, Map<number, Named>>();
  let before = -1;
  let ordinal = 0;
  for (const { id, fileId, kind } of kb.definitionsIn([...fileIds])) {
    ordinal = fileId === before ? ordinal + 1 : 0;
    before = fileId;
    const given = shares.get(id);
    if (given === undefined) continue;
    const bonus = [...given.values()].sort((a, b) => a - b).reduce((sum, share) => sum + share, 0);
    if (bonus <= 0) continue;
    const place = placeOf.get(fileId) ?? -1;
    const byOrdinal = named.get(place) ?? new Map<number, Named>();
    named.set(place, byOrdinal.set(ordinal, { bonus, kind }));
  }
  return named;
}

function weightOf(kind: Anchor["kind"], section: Anchor["section"]): number {
  if (kind === "hint") return HINT;
  if (kind === "trace") return TRACE;
  if (kind === "qualified") return QUALIFIED;
  return kind === "definition" ? (NAMED_IN[section] ?? 0) : 0;
}
