/** Stores what a scan learns of the files that it sees, so that the next one need not read them. */
import type { StatCache, StatEntry } from "../../../db/parse-cache/stat-cache.ts";

/** The number of files whose entries are stored at a time. */
const SEEN_PER_BATCH = 1_000;

/** Stores what is known of files that were seen: of a first run as it goes on, and else only what differs from `before`, at the end. */
export function seenFiles(
  cache: Pick<StatCache, "setStatEntries" | "addStatEntries">,
  maker: string,
  before: ReadonlyMap<string, StatEntry>,
) {
  let entries: StatEntry[] = [];
  let hasStored = false;
  const store = (): void => {
    if (hasStored) cache.addStatEntries(maker, entries);
    else cache.setStatEntries(maker, before, entries);
    hasStored = true;
    entries = [];
  };
  const add = (entry: StatEntry): void => {
    entries.push(entry);
    if (before.size === 0 && entries.length >= SEEN_PER_BATCH) store();
  };
  return { add, store };
}
