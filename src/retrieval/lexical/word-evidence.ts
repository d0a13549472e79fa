/** Where a repository has the words of a task: in paths, in code, in comments. */
import type { FileQueries, FileRow } from "../../db/curated/knowledge-base.ts";
import { isOutline } from "../../languages/languages.ts";
import { stem } from "../../text/terms/stem.ts";
import { FIELD, packedCount, packedField } from "../../text/terms/term-stats.ts";
import { nextVarint } from "../../text/terms/varints.ts";
import { findTerms, type Postings } from "./corpus.ts";
import type { CorpusFiles } from "./corpus-files.ts";
import { type Hits, PATH_ENTRY } from "./hits.ts";

/** How many files have a term: any file in its path, source files in their code and in their comments. */
export type Evidence = { readonly path: number; readonly code: number; readonly comment: number };
/** Of a word as it is written, and of all words of its stem. */
export type WordEvidence = { readonly word: string; readonly written: Evidence; readonly stemmed: Evidence };

/** The evidence for each word, and the number of source files: those with program text that are no tests. */
export function wordEvidence(
  kb: Pick<FileQueries, "termStats">,
  files: readonly FileRow[],
  words: readonly string[],
): Found {
  const asked = JSON.stringify(words);
  const known = newest.get(files);
  if (known?.asked === asked) return known.found;
  const found = findEvidence(kb, files, words);
  newest.set(files, { asked, found });
  return found;
}

type Found = { readonly words: readonly WordEvidence[]; readonly sources: number };
/** Of each list of files, the last answer: a run asks twice, before and after it knows that the index is current. */
const newest = new WeakMap<readonly FileRow[], { readonly asked: string; readonly found: Found }>();

function findEvidence(kb: Pick<FileQueries, "termStats">, files: readonly FileRow[], words: readonly string[]): Found {
  const stems = [...new Set(words.map(stem))];
  const found = findTerms(kb, files, { exact: withWeights(words), stems: withWeights(stems) });
  const isSource = files.map(({ isTest, language }) => !isTest && !isOutline(language));
  const written = evidenceOf(found, found.exact, isSource, words.length);
  const stemmed = evidenceOf(found, found.stems, isSource, stems.length);
  return {
    words: words.map((word, at) => ({
      word,
      written: written[at] ?? NO_EVIDENCE,
      stemmed: stemmed[stems.indexOf(stem(word))] ?? NO_EVIDENCE,
    })),
    sources: isSource.filter(Boolean).length,
  };
}

const withWeights = (terms: readonly string[]) => ({ terms, weights: terms.map(() => 1) });
const NO_EVIDENCE: Evidence = { path: 0, code: 0, comment: 0 };

function evidenceOf(
  { stats, postings }: { readonly stats: CorpusFiles; readonly postings: Postings },
  hits: Hits,
  isSource: readonly boolean[],
  terms: number,
): readonly Evidence[] {
  const evidence = Array.from({ length: terms }, () => ({ ...NO_EVIDENCE }));
  for (const [position, source] of stats.source.entries()) {
    const fields = new Map<number, Set<number>>();
    const bytes = stats.sources[source];
    for (let hit = hits.from[position] ?? 0; hit < (hits.to[position] ?? 0); hit += 1) {
      const [term = 0, entry = 0] = [hits.term[hit], hits.entry[hit]];
      const own = evidence[term];
      if (own !== undefined && entry === PATH_ENTRY) own.path += 1;
      else if (bytes !== undefined && isSource[position])
        fields.set(term, (fields.get(term) ?? new Set<number>()).union(fieldsOf(bytes, postings, entry)));
    }
    for (const [term, set] of fields) {
      const own = evidence[term];
      if (own === undefined) continue;
      if (set.has(FIELD.comment)) own.comment += 1;
      if (set.size > (set.has(FIELD.comment) ? 1 : 0)) own.code += 1;
    }
  }
  return evidence;
}

/** The fields that an entry occurs in. */
function fieldsOf(bytes: Uint8Array, { from, to }: Postings, entry: number): ReadonlySet<number> {
  const fields = new Set<number>();
  const end = to[entry] ?? 0;
  for (const reader = { bytes, at: from[entry] ?? 0 }; reader.at < end; ) {
    const head = nextVarint(reader);
    packedCount(head, reader);
    fields.add(packedField(head));
  }
  return fields;
}
