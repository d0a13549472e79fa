/** The rows of the tables of a round: the files in scope with their scores, and what the package shows of them. */
import type { Selection } from "../../retrieval/model/selection.ts";
import type { RetrieveResult } from "../../retrieval/retrieve.ts";

/**
 * One row of the scoring table: the shares add up to the score. `rank` is the file's in the package. `tracedLine` is the line of
 * the file that the deepest frame of a stack trace names; absent if none names one.
 */
export type ScoreRow = {
  readonly rank: number;
  readonly path: string;
  readonly tier: string;
  readonly score: number;
  readonly terms: readonly { readonly signal: string; readonly share: number }[];
  readonly tracedLine?: number;
};

/** One thing that the package shows, and its cost. */
export type ShownRow = {
  readonly path: string;
  readonly item: string;
  readonly tier: string;
  readonly detail: string;
  readonly tokens: number;
};

/** The files in scope, by rank. */
export function scoreRows({ files, seeds }: Pick<Selection, "files" | "seeds">): readonly ScoreRow[] {
  const lines = new Map(seeds.map(({ fileId, traced }) => [fileId, traced?.[0]?.line]));
  return files.map(({ file: { id, path }, rank, tier, score }) => {
    const tracedLine = lines.get(id);
    return {
      rank,
      path,
      tier,
      score: score.total,
      terms: score.terms.map(({ signal: name, value, weight }) => ({ signal: name, share: value * weight })),
      ...(tracedLine === undefined ? {} : { tracedLine }),
    };
  });
}

/** What the package shows, by rank of the file. */
export function shownRows({
  selection,
  verdicts,
}: Pick<RetrieveResult, "selection" | "verdicts">): readonly ShownRow[] {
  const ranks = new Map(selection.files.map(({ file, rank }) => [file.path, rank]));
  return verdicts
    .filter(({ included }) => included)
    .toSorted((a, b) => (ranks.get(a.path) ?? 0) - (ranks.get(b.path) ?? 0) || (a.line ?? 0) - (b.line ?? 0))
    .map(({ path, symbol, line, kind, tier, detail, tokens }) => ({
      path,
      item: symbol ?? `${kind ?? "lines"} at line ${line ?? 1}`,
      tier,
      detail,
      tokens: tokens ?? 0,
    }));
}
