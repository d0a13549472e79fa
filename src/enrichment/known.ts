/**
 * What the log knows of files: the newest record of each content, which model gave one, and which could not.
 *
 * A record that cannot be read (another version wrote it, the file was tampered with) is none.
 */
import type { Metadata } from "../db/curated/file-metadata.ts";
import type { EnrichmentRow } from "../db/raw-log/raw-log.ts";
import type { Content } from "./material.ts";
import { fromStored, isStoredFailure } from "./record.ts";

export type Known = {
  /** Whether this model has answered on this content. */
  isAnswered(content: Content, model: string): boolean;
  /** How often this model was asked about this content without a usable answer. */
  failures(content: Content, model: string): number;
  /** The newest record of this content, whichever model gave it. */
  record(content: Content): Metadata | null;
};

/** `rows` come oldest first. */
export function knownFrom(rows: Iterable<EnrichmentRow>): Known {
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
