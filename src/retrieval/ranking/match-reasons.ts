/** Which words of the task match a file, and where: in its path, in the names of its definitions, in its text. */

import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../task/query.ts";
import { inOrder } from "../../text/order.ts";
import { expandIdentifier } from "../../text/terms/identifiers.ts";
import { fold } from "../../text/terms/normalize.ts";
import { joinedPairs } from "../../text/terms/scripts.ts";
import { stem } from "../../text/terms/stem.ts";
import { positionsById } from "../lexical/file-positions.ts";
import type { MatchedStem } from "../lexical/lexical.ts";
import type { DefinitionScore } from "../model/scores.ts";
import { wordedName } from "../model/worded-name.ts";

/** The rarest and heaviest words of a reason, and how many names of definitions it lists. */
const WORDS_MAX = 4;
const NAMES_MAX = 2;
/** The best definitions of a file that are looked at. */
const DEFINITIONS_MAX = 12;
/** A word that adds less than this share of what the best one adds explains nothing. */
const WORD_SHARE_MIN = 0.1;

const TEXT = "its text";

type MatchInput = {
  readonly kb: Pick<KnowledgeBase, "definitionRows">;
  readonly files: readonly FileRow[];
  readonly task: Pick<TaskQuery, "keywords" | "raw">;
  readonly ranking: {
    readonly definitions: readonly DefinitionScore[];
    readonly matched: (position: number) => readonly MatchedStem[];
  };
};

/** By id of the file; a file without a significant word of the task is missing. */
export function matchReasons(
  { kb, files, task, ranking }: MatchInput,
  ids: readonly number[],
): ReadonlyMap<number, readonly string[]> {
  const wordOf = new Map(task.keywords.toReversed().map((word) => [stem(word), word]));
  const positions = positionsById(files);
  const best = Map.groupBy(ranking.definitions, ({ fileId }) => fileId);
  const listed = new Map(ids.map((id) => [id, (best.get(id) ?? []).slice(0, DEFINITIONS_MAX)]));
  const symbolIds = [...listed.values()].flatMap((definitions) => definitions.map(({ symbolId }) => symbolId));
  const nameOf = new Map(kb.definitionRows(symbolIds).map(({ id, name }) => [id, name]));
  return new Map(
    ids.flatMap((id) => {
      const stems = ranking.matched(positions.get(id) ?? files.length).filter((match) => wordOf.has(match.stem));
      const names = (listed.get(id) ?? []).flatMap(({ symbolId }) => nameOf.get(symbolId) ?? []);
      const reason = matchReason(stems, names, (word) => wordOf.get(word) ?? word, task.raw);
      return reason.length === 0 ? [] : [[id, reason] as const];
    }),
  );
}

/**
 * `sum in cart_sum`, `tax in its path`, `round in its text`: that with the heaviest word first, apart from the text. `names` are those
 * of definitions, best first; `text` is that of the task.
 */
export function matchReason(
  stems: readonly MatchedStem[],
  names: readonly string[],
  wordOf: (stem: string) => string,
  text = "",
): readonly string[] {
  const sorted = stems.toSorted((a, b) => b.weight - a.weight || inOrder(a.stem, b.stem));
  const least = (sorted[0]?.weight ?? 0) * WORD_SHARE_MIN;
  const left = sorted.filter(({ weight }) => weight > 0 && weight >= least).slice(0, WORDS_MAX);
  const clauses: { readonly text: string; readonly weight: number }[] = [];
  const named = [...new Set(names)].map((name) => ({ name, parts: expandIdentifier(name) }));
  const spelled = new Set(named.flatMap(({ parts }) => parts));
  const take = (place: string, isIn: (match: MatchedStem) => boolean): void => {
    const found = left.filter(isIn);
    if (found.length === 0) return;
    const words = found.map((match) => wordOf(match.stem));
    const shown = words.filter((word) => !words.some((other) => other !== word && hasPart(other, word, words)));
    // Other words of the task are then parts of the name.
    const isWhole = shown.some((word) => stem(word) === stem(fold(place)));
    const clause = isWhole ? `defines ${place}` : `${joinedPairs(shown, text).join(", ")} in ${place}`;
    clauses.push({ text: clause, weight: place === TEXT ? 0 : (found[0]?.weight ?? 0) });
    for (const match of found) left.splice(left.indexOf(match), 1);
  };
  take("its path", ({ inPath }) => inPath);
  for (const { name, parts } of named) {
    if (clauses.length > NAMES_MAX || left.length === 0) break;
    const held = new Set(parts.map(stem));
    // `head` has the stem of "headers", but `set_headers` has the word.
    const isHeld = (word: string): boolean => parts.includes(word) || !spelled.has(word);
    take(wordedName(name), (match) => held.has(match.stem) && isHeld(wordOf(match.stem)));
  }
  take(TEXT, () => true);
  return clauses.toSorted((a, b) => b.weight - a.weight).map(({ text }) => text);
}

/** Whether a word is one of the parts of a name, which say no more than the name: `client` of `client_ip`, and of `clientip` beside `ip`. */
const hasPart = (name: string, word: string, words: readonly string[]): boolean =>
  expandIdentifier(name).includes(word) || words.some((other) => name === word + other || name === other + word);
