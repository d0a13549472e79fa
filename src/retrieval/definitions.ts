/**
 * Ranks definitions: their own match with the task's words, their file's score, and whether the task
 * names them or its stack trace ends in them.
 *
 * Constants are those that real issues supported. Not here: which tier a symbol gets (`symbol-tiers.ts`).
 */
import type { FileRow, KnowledgeBase, SymbolRow } from "../db/curated.ts";
import { expandIdentifier, identifiersIn } from "../text/identifiers.ts";
import { SEGMENT_KINDS } from "../text/segments.ts";
import { stem } from "../text/stem.ts";
import { STOP_WORDS } from "../text/stop-words.ts";
import type { Anchor } from "./anchors.ts";
import type { ScoredSegment } from "./lexical.ts";
import { type DefinitionScore, type FileScore, roundScore } from "./score.ts";

/** Definitions listed at most. */
const DEFINITIONS_MAX = 2_000;
/**
 * What the best file's definitions get for it; those of other files the square root of their file's part of the best.
 * The root keeps a definition that matches well in a file that does not from falling behind a whole file's worth of
 * weak ones: it gains 2.6 and 2.3 points of all@5 in the two halves of the development cases.
 */
const FILE_SHARE = 0.4;
/** A definition of whose own name the title says every word. */
const SAID_IN_TITLE = 0.1;
const TRACE = 0.3;
const QUALIFIED = 0.2;
const HINT = 0.5;
/** Named in the title, or in prose. */
const IN_TITLE = 0.1;
const IN_PROSE = 0.25;
/** Types say less than the code that uses them. */
const TYPE_FACTOR = 0.8;
const TYPE_KINDS: ReadonlySet<string> = new Set(["interface", "type_alias"]);

export type DefinitionInput = {
  readonly kb: KnowledgeBase;
  readonly files: readonly FileRow[];
  readonly segments: readonly ScoredSegment[];
  readonly scores: readonly FileScore[];
  readonly anchors: readonly Anchor[];
  readonly factorOf: (path: string) => number;
  readonly title: string;
};

/** A definition to score: of a file, by its index in the file's facts. */
type Candidate = { readonly file: FileRow; readonly ordinal: number; readonly score: number };

/** The best definitions, best first; ties end on the path and the position in the file. */
export function rankDefinitions(input: DefinitionInput): readonly DefinitionScore[] {
  const { kb, files, segments, scores, factorOf } = input;
  const best = scores[0]?.total ?? 0;
  const share = new Map(
    scores.map(({ fileId, total }) => [fileId, best > 0 ? FILE_SHARE * Math.sqrt(total / best) : 0]),
  );
  const factors = new Map<number, number>();
  const factor = ({ id, path }: FileRow): number => {
    const known = factors.get(id) ?? factorOf(path);
    factors.set(id, known);
    return known;
  };
  const named = namedDefinitions(input);
  const candidates: Candidate[] = [];
  const add = (file: FileRow, ordinal: number, kind: string, text: number, name: number): void => {
    const sum = text + (share.get(file.id) ?? 0) + name;
    const score = roundScore(sum * factor(file) * typeFactor(kind));
    if (score > 0) candidates.push({ file, ordinal, score });
  };
  for (const { place, ordinal, kind, score } of segments) {
    const file = files[place];
    if (file === undefined || ordinal < 0) continue;
    const bonuses = named.get(file.id);
    add(file, ordinal, SEGMENT_KINDS[kind] ?? "", score, bonuses?.get(ordinal)?.bonus ?? 0);
    bonuses?.delete(ordinal);
  }
  // what the task names without sharing any other word with it, one-line constants among them
  for (const file of files)
    for (const [ordinal, { bonus, kind }] of named.get(file.id) ?? []) add(file, ordinal, kind, 0, bonus);
  const listed = bestOf(candidates);
  const symbols = symbolsOf(kb, [...new Set(listed.map(({ file }) => file.id))]);
  const said = shareSaid(input.title);
  return listed
    .flatMap(({ file, ordinal, score }) => {
      const symbol = symbols.get(file.id)?.[ordinal];
      if (symbol === undefined) return [];
      const name = SAID_IN_TITLE * said(symbol.name) * factor(file);
      return [{ file, ordinal, symbolId: symbol.id, score: roundScore(score + name) }];
    })
    .sort(byScore)
    .map(({ file, symbolId, score }) => ({ symbolId, fileId: file.id, score }));
}

/** How much of a name a title says, 0 to 1: the part of its words whose stems are there, words that say little apart. */
function shareSaid(title: string): (name: string) => number {
  const stemsOf = (name: string): readonly string[] => {
    const [whole, ...parts] = expandIdentifier(name);
    const words = parts.length > 0 ? parts : whole === undefined ? [] : [whole];
    return words.filter((word) => !STOP_WORDS.has(word)).map(stem);
  };
  const there = new Set(identifiersIn(title).flatMap(stemsOf));
  return (name) => {
    const words = stemsOf(name);
    return words.length === 0 ? 0 : words.filter((word) => there.has(word)).length / words.length;
  };
}

const typeFactor = (kind: string): number => (TYPE_KINDS.has(kind) ? TYPE_FACTOR : 1);

/** Cut before sorting: there may be 100,000 candidates. */
function bestOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const scores = Float64Array.from(candidates, ({ score }) => score).sort();
  const least = scores[scores.length - DEFINITIONS_MAX] ?? 0;
  return candidates
    .filter(({ score }) => score >= least)
    .sort(byScore)
    .slice(0, DEFINITIONS_MAX);
}

const byScore = (a: Candidate, b: Candidate): number =>
  b.score - a.score || (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : 0) || a.ordinal - b.ordinal;

/** A file's symbols in the order of its facts, which is the order of their ids. */
const symbolsOf = (kb: KnowledgeBase, fileIds: readonly number[]): ReadonlyMap<number, readonly SymbolRow[]> =>
  Map.groupBy(fileIds.length === 0 ? [] : kb.symbolsIn(fileIds), ({ fileId }) => fileId);

type Named = { bonus: number; readonly kind: string };

/** What anchors add, by file and index in it. Of each kind of mention the strongest counts, shared among what it can mean. */
function namedDefinitions({ kb, files, anchors }: DefinitionInput): Map<number, Map<number, Named>> {
  const shares = new Map<number, Map<string, number>>();
  for (const { kind, section, codeLike, symbols, value } of anchors) {
    const weight = weightOf(kind, section);
    if (weight === 0) continue;
    const group = kind === "definition" ? section : kind;
    const strength = kind === "trace" ? value : kind === "definition" && !codeLike ? 0.3 : 1;
    for (const id of symbols) {
      const known = shares.get(id) ?? new Map<string, number>();
      known.set(group, Math.max(known.get(group) ?? 0, (weight * strength) / symbols.length));
      shares.set(id, known);
    }
  }
  const listed = new Set(files.map(({ id }) => id));
  const fileIds = [...new Set(kb.symbolsById([...shares.keys()]).map(({ fileId }) => fileId))].filter((id) =>
    listed.has(id),
  );
  const named = new Map<number, Map<number, Named>>();
  for (const [fileId, symbols] of symbolsOf(kb, fileIds)) {
    const byOrdinal = new Map<number, Named>();
    symbols.forEach(({ id, kind }, ordinal) => {
      const bonus = [...(shares.get(id)?.values() ?? [])].sort((a, b) => a - b).reduce((sum, share) => sum + share, 0);
      if (bonus > 0) byOrdinal.set(ordinal, { bonus, kind });
    });
    named.set(fileId, byOrdinal);
  }
  return named;
}

function weightOf(kind: Anchor["kind"], section: Anchor["section"]): number {
  if (kind === "hint") return HINT;
  if (kind === "trace") return TRACE;
  if (kind === "qualified") return QUALIFIED;
  if (kind !== "definition") return 0;
  return section === "title" ? IN_TITLE : section === "prose" ? IN_PROSE : 0;
}

/** Characters that a short definition counts as, and the size at which packing neither gains nor loses. */
const PACKED_CHARS_MIN = 200;
const PACKED_CHARS_EVEN = 1_000;
const PACKED_EXPONENT = -0.1;

/** The order in which to pack definitions into a budget: by score, the shorter ones a little sooner. */
export const packingScore = (score: number, chars: number): number =>
  score * (Math.max(chars, PACKED_CHARS_MIN) / PACKED_CHARS_EVEN) ** PACKED_EXPONENT;
