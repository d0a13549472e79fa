/**
 * Takes facts of contents from a store into the parse cache, so that they need no parsing here.
 *
 * Everything is checked before it is stored: types and ranges, that a file's facts contain no word that its text lacks, and of a random
 * sample that parsing here gives the same. One difference refuses the store.
 */

import { readPackedFacts } from "../../db/export/packed-facts.ts";
import type { FactCache, PackedEntry } from "../../db/parse-cache/parse-cache.ts";
import { Failed } from "../../failure.ts";
import { isFailure } from "../../indexing/update/scan/compare.ts";
import { isOfText, isSame } from "../../indexing/update/verify-import.ts";
import { countTerms } from "../../languages/count-terms.ts";
import { type FactsKey, type FactsRow, type FactsStore, factsKey } from "../../store/facts.ts";
import type { ParsePool } from "../../syntax/parse/parse-pool.ts";
import type { KnownContent } from "./take-index.ts";

/** A content that is here. */
export type LocalContent = {
  readonly path: string;
  readonly hash: string;
  readonly language: string;
  readonly text: string;
  /** The size of the file. */
  readonly bytes: number;
};

/** Contents whose facts were taken, how many were parsed here too or refused, and the packed bytes. */
export type TakenFacts = { taken: FactsKey[]; compared: number; refused: number; bytes: number };

/** Contents that are asked for together. */
export const CONTENTS_AT_ONCE = 200;
/** How many contents are parsed here too: as many as have this many bytes together, within these bounds. */
const SAMPLE_BYTES = 24 * 1024;
const SAMPLES = { least: 4, most: 16 } as const;

/**
 * The share of contents that is parsed here too; `bytes` is their total size. This machine draws them at random, whatever their size and place,
 * so nobody who forges facts can know them. The size of the sample decides only how likely a few forged ones are found.
 */
export function sampleShare(contents: number, bytes: number): number {
  const wanted = (SAMPLE_BYTES * contents) / Math.max(bytes, 1);
  return Math.min(1, Math.min(SAMPLES.most, Math.max(SAMPLES.least, wanted)) / Math.max(contents, 1));
}

type Taking = {
  readonly facts: Pick<FactsStore, "get">;
  readonly cache: Pick<FactCache, "facts" | "put" | "drop">;
  readonly parser: Pick<ParsePool, "parse">;
  /** The address of the store. */
  readonly shown: string;
  /** See `sampleShare`. */
  readonly share: number;
  readonly signal: AbortSignal;
  /** Gets every content whose facts are known now. */
  onKnown(content: KnownContent): void;
};

/**
 * Takes the facts of some contents. Adds to `taken`. Throws `store-refused` for facts that someone made up, and then forgets all that were
 * taken; `store-unavailable`; and the signal's reason.
 */
export async function takeFacts(taking: Taking, contents: readonly LocalContent[], taken: TakenFacts): Promise<void> {
  try {
    await takeSome(taking, contents, taken);
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "store-refused")
      for (const key of taken.taken.splice(0)) taking.cache.drop(key);
    throw error;
  }
}

async function takeSome(taking: Taking, contents: readonly LocalContent[], taken: TakenFacts): Promise<void> {
  const { facts, cache, shown, share, signal, onKnown } = taking;
  const missing = new Map<string, LocalContent>();
  for (const content of contents) {
    const known = cached(cache, content);
    if (known === null) missing.set(factsKey(content), content);
    else onKnown(known);
  }
  const entries: NonNullable<ReturnType<typeof checkedEntry>>[] = [];
  const sampled: Promise<void>[] = [];
  for (const row of await facts.get([...missing.values()])) {
    signal.throwIfAborted();
    const content = missing.get(factsKey(row));
    if (content === undefined) continue;
    const entry = checkedEntry(row, content);
    if (entry === null) {
      taken.refused += 1;
      continue;
    }
    taken.bytes += bytesOf(row);
    entries.push(entry);
    if (taken.compared === 0 || Math.random() < share) {
      taken.compared += 1;
      sampled.push(compare(taking, content, entry.known));
    }
  }
  await Promise.all(sampled);
  if (entries.length > 0) cache.put(entries.map(({ packed }) => packed));
  for (const { known } of entries) {
    taken.taken.push({ hash: known.hash, language: known.language });
    onKnown(known);
  }
  if (taken.refused > REFUSED_MAX)
    throw refused(shown, `the facts of ${taken.refused} files are not those of their texts`);
}

/** Up to this many facts may be damaged rather than forged. */
const REFUSED_MAX = 100;

const refused = (where: string, why: string): Failed =>
  new Failed({ code: "store-refused", where, why, next: "ask who pushes to the store" });

const bytesOf = ({ facts, uses, prose, stats }: FactsRow): number =>
  facts.length + uses.length + prose.length + stats.length;

/** What this machine knows of a content; null for nothing. */
function cached(cache: Taking["cache"], { hash, language, bytes, text }: LocalContent): KnownContent | null {
  const facts = cache.facts({ hash, language });
  return facts === null ? null : { hash, language, bytes, text, facts, stats: countTerms(text, language, facts) };
}

/** The facts of a row, checked against the text; null if they are not those of the text. */
export function checkedEntry(
  row: FactsRow,
  { hash, language, text, bytes }: LocalContent,
): { readonly known: KnownContent; readonly packed: PackedEntry } | null {
  const read = readPackedFacts(row, Buffer.byteLength(text));
  // What could not be parsed elsewhere may be parsed here.
  if (read === null || isFailure(read.facts.problem) || !isOfText({ ...read.facts, problem: null }, text)) return null;
  const { facts, uses, prose } = row;
  return {
    known: { hash, language, bytes, text, ...read },
    packed: { hash, language, facts, uses, prose },
  };
}

async function compare(
  { parser, shown }: Taking,
  content: LocalContent,
  read: Pick<KnownContent, "facts" | "stats">,
): Promise<void> {
  const own = await parser.parse(content);
  // If this machine lacks time or memory to parse a content, that says nothing about the other machine.
  if (!isFailure(own.facts.problem) && !isSame(own, read))
    throw refused(shown, `parsing ${content.path} here gives other facts than it has`);
}
