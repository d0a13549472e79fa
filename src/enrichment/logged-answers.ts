/**
 * The answers about files in the log: the newest record of each content, who gave it, and failed attempts.
 *
 * A record that cannot be read (written by another version, or damaged) counts as absent.
 */

import type { FileQueries } from "../db/curated/knowledge-base.ts";
import type { Metadata } from "../db/curated/write/file-metadata.ts";
import type { EnrichmentRow } from "../db/raw-log/raw-log.ts";
import { isAskedAbout } from "./choose-files.ts";
import type { Content } from "./material.ts";
import { fromStored, isStoredFailure } from "./record.ts";

type LoggedAnswers = {
  /** Whether this model has described this content. */
  isAnswered(content: Content, model: string): boolean;
  /** How many attempts of this model gave no usable answer. */
  failures(content: Content, model: string): number;
  /** The newest record of this content, from any model. */
  record(content: Content): Metadata | null;
};

/** The answers in the rows of the log, which come oldest first. */
export function loggedAnswers(rows: Iterable<EnrichmentRow>): LoggedAnswers {
  const newest = new Map<string, Metadata>();
  const answered = new Set<string>();
  const failures = new Map<string, number>();
  for (const { path, contentHash, model, output } of rows) {
    const record = fromStored(output);
    if (record === null) {
      const key = keyOf({ path, contentHash }, model);
      if (isStoredFailure(output)) failures.set(key, (failures.get(key) ?? 0) + 1);
      continue;
    }
    newest.set(keyOf({ path, contentHash }), record);
    answered.add(keyOf({ path, contentHash }, model));
  }
  return {
    isAnswered: (content, model) => answered.has(keyOf(content, model)),
    failures: (content, model) => failures.get(keyOf(content, model)) ?? 0,
    record: (content) => newest.get(keyOf(content)) ?? null,
  };
}

const keyOf = ({ path, contentHash }: Content, ...model: readonly string[]): string =>
  JSON.stringify([path, contentHash, ...model]);

/** Counts of files: those a model is asked about, those whose present content is described, those with metadata. */
export type Coverage = { readonly files: number; readonly answered: number; readonly promoted: number };

export function coverageOf(kb: FileQueries, logged: LoggedAnswers): Coverage {
  const files = kb.storedFiles().filter(isAskedAbout);
  return {
    files: files.length,
    answered: files.filter((file) => logged.record(file) !== null).length,
    promoted: kb.fileMetadata().length,
  };
}
