/**
 * Ranks definitions by their own match with the task's words, their file's score, and two bonuses: for being mentioned
 * (`definition-mentions.ts`) and for a name that the title says. Constants are measured on real issues.
 */

import type { FileRow, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import { byPath } from "../../text/order.ts";
import { expandIdentifier, identifiersIn } from "../../text/terms/identifiers.ts";
import { SEGMENT_KINDS } from "../../text/terms/segments.ts";
import { stem } from "../../text/terms/stem.ts";
import { STOP_WORDS } from "../../text/terms/stop-words.ts";
import { largest } from "../lexical/bm25.ts";
import type { ScoredSegments } from "../lexical/segment-scores.ts";
import type { Anchor } from "../model/anchor.ts";
import type { DefinitionScore } from "../model/scores.ts";
import { mentionedDefinitions } from "./definition-mentions.ts";
import { leastOfBest } from "./least-of-best.ts";
import { roundScore } from "./score.ts";

/** Rounding changes a score by less than this. */
const ROUNDED_BY_MAX = 1e-6;
/** The maximum of definitions in the ranking. */
export const DEFINITIONS_MAX = 2_000;
/**
 * The bonus for definitions in the best file; in other files it is multiplied by the square root of the file's share of the
 * best score. The root keeps a definition that matches well in a weak file ahead of weak definitions in a strong file: it
 * gains 2.6 and 2.3 points of all@5 in the two halves of the development cases.
 */
const FILE_SHARE = 0.5;
/** Types say less than the code that uses them. */
const TYPE_FACTOR = 0.8;
const TYPE_KINDS: ReadonlySet<string> = new Set(["interface", "type_alias"]);

type DefinitionInput = {
  readonly kb: SymbolQueries;
  readonly files: readonly FileRow[];
  readonly segments: ScoredSegments;
  /** The score of each file, by position. */
  readonly totals: Float64Array;
  readonly anchors: readonly Anchor[];
  /** The path penalty of each file, by position: the share of its score that it keeps. */
  readonly factors: Float64Array;
  /** The factor for tests inside files of other kinds (a quarter of the functions of some Rust programs). */
  readonly inlineTestFactor: number;
  readonly title: string;
};

/** A definition to score: the one at index `ordinal` of the facts of the file at `position`. */
type Candidate = {
  readonly position: number;
  readonly file: FileRow;
  readonly ordinal: number;
  readonly score: number;
};

/** The best definitions, best first; ties are ordered by path and position in the file. */
export function rankDefinitions(input: DefinitionInput): readonly DefinitionScore[] {
  const { kb, factors } = input;
  const listed = bestOf(input.files, candidatesOf(input));
  const idsOf = new Map(
    kb.definitionIdsIn([...new Set(listed.map(({ file }) => file.id))]).map(({ fileId, ids }) => [fileId, ids]),
  );
  const found = listed.flatMap((one) => {
    const symbolId = idsOf.get(one.file.id)?.at(one.ordinal);
    return symbolId === undefined ? [] : [{ ...one, symbolId }];
  });
  const symbolIds = found.map(({ symbolId }) => symbolId);
  const nameOf = new Map(kb.definitionRows(symbolIds).map(({ id, name }) => [id, name]));
  const tests = kb.inlineTests(symbolIds);
  const bonusOf = titleBonus(input.title);
  return found
    .map((one) => {
      const { position, symbolId, score } = one;
      const pathFactor = factors[position] ?? 1;
      // A test in a test file is not penalised twice.
      const factor = tests.has(symbolId) ? Math.min(1, input.inlineTestFactor / pathFactor) : 1;
      return { ...one, score: roundScore((score + bonusOf(nameOf.get(symbolId) ?? "") * pathFactor) * factor) };
    })
    .sort(byScore)
    .map(({ file, symbolId, score }) => ({ symbolId, fileId: file.id, score }));
}

/** Candidates in columns, because there may be 100,000. */
type Candidates = {
  readonly position: Int32Array;
  readonly ordinal: Int32Array;
  readonly score: Float64Array;
  readonly count: number;
};

/** Every definition with a score above 0, not yet rounded. */
function candidatesOf(input: DefinitionInput): Candidates {
  const { segments, factors } = input;
  const mentioned = mentionedDefinitions(input);
  const shares = fileShares(input.totals);
  const rows = segments.count + [...mentioned.values()].reduce((sum, { size }) => sum + size, 0);
  const found = { position: new Int32Array(rows), ordinal: new Int32Array(rows), score: new Float64Array(rows) };
  let count = 0;
  const add = (position: number, ordinal: number, score: number): void => {
    if (score <= 0) return;
    found.position[count] = position;
    found.ordinal[count] = ordinal;
    found.score[count] = score;
    count += 1;
  };
  for (let row = 0; row < segments.count; ) {
    const position = segments.position[row] ?? 0;
    const share = shares[position] ?? 0;
    const factor = factors[position] ?? 1;
    const bonuses = mentioned.get(position);
    for (; row < segments.count && segments.position[row] === position; row += 1) {
      const ordinal = segments.ordinal[row] ?? -1;
      if (ordinal < 0) continue;
      const bonus = bonuses?.get(ordinal)?.bonus ?? 0;
      const ofKind = KIND_FACTORS[segments.kind[row] ?? 0] ?? 1;
      add(position, ordinal, ((segments.score[row] ?? 0) + share + bonus) * factor * ofKind);
      if (bonus > 0) bonuses?.delete(ordinal);
    }
  }
  // Definitions that the task only names, such as one-line constants.
  const left = [...mentioned.values()].flatMap((bonuses) => [...bonuses.values()].map(({ id }) => id));
  const kindOf = new Map(input.kb.definitionRows(left).map(({ id, kind }) => [id, kind]));
  for (const [position, bonuses] of mentioned)
    for (const [ordinal, { id, bonus }] of bonuses) {
      const ofKind = typeFactor(kindOf.get(id) ?? "");
      add(position, ordinal, ((shares[position] ?? 0) + bonus) * (factors[position] ?? 1) * ofKind);
    }
  return { ...found, count };
}

/** What each file adds to its definitions, by position. */
function fileShares(totals: Float64Array): Float64Array {
  const best = largest(totals);
  return best > 0 ? totals.map((total) => FILE_SHARE * Math.sqrt(Math.max(0, total) / best)) : totals;
}

const typeFactor = (kind: string): number => (TYPE_KINDS.has(kind) ? TYPE_FACTOR : 1);
/** By kind number. */
const KIND_FACTORS = SEGMENT_KINDS.map(typeFactor);

/** The best candidates, rounded. Cutting before sorting keeps the order and avoids sorting the many others. */
function bestOf(files: readonly FileRow[], { position, ordinal, score, count }: Candidates): readonly Candidate[] {
  const least = roundScore(leastOfBest(score.subarray(0, count), DEFINITIONS_MAX));
  const best: Candidate[] = [];
  for (let row = 0; row < count; row += 1) {
    const at = position[row] ?? -1;
    const file = files[at];
    const exact = score[row] ?? 0;
    if (exact < least - ROUNDED_BY_MAX) continue;
    const value = roundScore(exact);
    if (value > 0 && value >= least && file !== undefined)
      best.push({ position: at, file, ordinal: ordinal[row] ?? -1, score: value });
  }
  return best.sort(byScore).slice(0, DEFINITIONS_MAX);
}

const byScore = (a: Candidate, b: Candidate): number =>
  b.score - a.score || byPath(a.file, b.file) || a.ordinal - b.ordinal;

/** When the title says every word of the name. */
const TITLE_BONUS_MAX = 0.1;

/** The bonus of a name: the share of its words, without stop words, whose stems are in the title. */
function titleBonus(title: string): (name: string) => number {
  const titleStems = new Set(identifiersIn(title).flatMap(stemsOf));
  // Names come again and again: a method is called the same in many classes.
  const cache = new Map<string, number>();
  return (name) => {
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const stems = stemsOf(name);
    const share = stems.length === 0 ? 0 : stems.filter((word) => titleStems.has(word)).length / stems.length;
    const bonus = TITLE_BONUS_MAX * share;
    cache.set(name, bonus);
    return bonus;
  };
}

function stemsOf(name: string): readonly string[] {
  const [whole, ...parts] = expandIdentifier(name);
  const words = parts.length > 0 ? parts : whole === undefined ? [] : [whole];
  return words.filter((word) => !STOP_WORDS.has(word)).map(stem);
}
