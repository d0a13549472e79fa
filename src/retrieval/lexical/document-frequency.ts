/** Counts the files of a repository that have the words of a task: in their paths, in code, in comments. */
import type { FileQueries, FileRow } from "../../db/curated/knowledge-base.ts";
import { isOutline } from "../../languages/languages.ts";
import type { Section } from "../../task/query.ts";
import { stem } from "../../text/terms/stem.ts";
import { FIELD, packedCount, packedField } from "../../text/terms/term-stats.ts";
import { nextVarint } from "../../text/terms/varints.ts";
import { type Corpus, findTerms, keepTerms } from "./corpus.ts";
import { type Hits, PATH_ENTRY } from "./hits.ts";
import { type LexicalQuery, weighTerms } from "./weighted-terms.ts";

/** How many files have a term: any file in its path, sources in their code and in their comments. */
export type DocumentFrequency = { readonly path: number; readonly code: number; readonly comment: number };
/** Of a word as it is written, and of all words of its stem. */
export type WordFrequency = {
  readonly word: string;
  readonly written: DocumentFrequency;
  readonly stemmed: DocumentFrequency;
};

/**
 * The frequency of each word, and the number of sources (`sourcesAmong`). `searched` is the text that files are ranked by afterwards:
 * where it has all of the words, its terms are looked up once for both.
 */
export function documentFrequencies(
  kb: Pick<FileQueries, "termStats">,
  files: readonly FileRow[],
  words: readonly string[],
  searched: readonly Section[],
): Found {
  const asked = JSON.stringify(words);
  const known = newest.get(files);
  if (known?.asked === asked) return known.found;
  const found = countDocuments(kb, files, words, weighTerms(searched));
  newest.set(files, { asked, found });
  return found;
}

type Found = { readonly words: readonly WordFrequency[]; readonly sources: number };
/** Of each list of files, the last answer: a run asks twice, before and after it knows that the index is current. */
const newest = new WeakMap<readonly FileRow[], { readonly asked: string; readonly found: Found }>();

function countDocuments(
  kb: Pick<FileQueries, "termStats">,
  files: readonly FileRow[],
  words: readonly string[],
  ranking: LexicalQuery,
): Found {
  const roots = words.map(stem);
  const isShared = isIn(words, ranking.exact.terms) && isIn(roots, ranking.stems.terms);
  const query = isShared ? ranking : { exact: withWeights(words), stems: withWeights([...new Set(roots)]) };
  const found = findTerms(kb, files, query);
  if (isShared) keepTerms(files, query, found);
  const [exact, stems] = [query.exact.terms, query.stems.terms];
  const isSource = sourcesAmong(files);
  const written = frequenciesOf(found, found.exact, isSource, new Set(words.map((word) => exact.indexOf(word))));
  const stemmed = frequenciesOf(found, found.stems, isSource, new Set(roots.map((root) => stems.indexOf(root))));
  return {
    words: words.map((word, at) => ({
      word,
      written: written.get(exact.indexOf(word)) ?? IN_NO_FILE,
      stemmed: stemmed.get(stems.indexOf(roots[at] ?? "")) ?? IN_NO_FILE,
    })),
    sources: isSource.filter(Boolean).length,
  };
}

/** With fewer files of program text than this share, the other files are what tasks are about. */
const PROGRAM_SHARE_MIN = 0.2;

/** Whether each file is one with program text and no test; where there are hardly any, as in a manual, whether it is no test. */
function sourcesAmong(files: readonly FileRow[]): readonly boolean[] {
  const isProgram = files.map(({ isTest, language }) => !isTest && !isOutline(language));
  const isAny = files.map(({ isTest }) => !isTest);
  const count = (flags: readonly boolean[]): number => flags.filter(Boolean).length;
  return count(isProgram) < PROGRAM_SHARE_MIN * count(isAny) ? isAny : isProgram;
}

const withWeights = (terms: readonly string[]) => ({ terms, weights: terms.map(() => 1) });
const isIn = (some: readonly string[], all: readonly string[]): boolean => new Set(some).isSubsetOf(new Set(all));
const IN_NO_FILE: DocumentFrequency = { path: 0, code: 0, comment: 0 };

/** The frequencies of the terms of a space with these numbers. */
function frequenciesOf(
  { stats, postings }: Corpus,
  { term, entry, from, to }: Hits,
  isSource: readonly boolean[],
  asked: ReadonlySet<number>,
): ReadonlyMap<number, DocumentFrequency> {
  const frequencies = new Map([...asked].map((number) => [number, { ...IN_NO_FILE }]));
  for (let position = 0; position < isSource.length; position += 1) {
    const bytes = isSource[position] ? stats.sources[stats.source[position] ?? -1] : undefined;
    const end = to[position] ?? 0;
    for (let hit = from[position] ?? 0; hit < end; ) {
      const number = term[hit] ?? 0;
      const own = frequencies.get(number);
      let fields = 0;
      for (; hit < end && term[hit] === number; hit += 1) {
        if (own === undefined) continue;
        if (entry[hit] === PATH_ENTRY) own.path += 1;
        else if (bytes !== undefined) fields |= fieldsOf(bytes, postings, entry[hit] ?? 0);
      }
      if (own === undefined) continue;
      if ((fields & COMMENT) !== 0) own.comment += 1;
      if ((fields & ~COMMENT) !== 0) own.code += 1;
    }
  }
  return frequencies;
}

const COMMENT = 1 << FIELD.comment;

/** A bit for each field that an entry occurs in. */
function fieldsOf(bytes: Uint8Array, { from, to }: Corpus["postings"], entry: number): number {
  let fields = 0;
  const end = to[entry] ?? 0;
  for (const reader = { bytes, at: from[entry] ?? 0 }; reader.at < end; ) {
    const head = nextVarint(reader);
    packedCount(head, reader);
    fields |= 1 << packedField(head);
  }
  return fields;
}
