/** Writes the rows of parsed files in a fixed order, whichever are ready first, so that the same files always get the same rows. */
import { nextTurn } from "../../concurrency/next-turn.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import { cacheKey, type IndexableFile } from "../model/index-run.ts";
import type { RowSink } from "../update/scan/parse-queue.ts";

/** The number of parsed files that are stored at a time. */
const STORED_AT_ONCE = 4;

/** `add`: files whose rows come after all others. `written` resolves when every row that could be written is, and rejects with what writing threw. */
type OrderedRows = RowSink & { add(files: readonly IndexableFile[]): void; written(): Promise<void> };

/**
 * `first` are files with facts, in the order of their rows. `write` writes those of the one at a position. Between two of them the event
 * loop runs, because the threads that parse get their next text from this one.
 */
export function orderedRows(
  first: readonly IndexableFile[],
  cache: Pick<ParseCache, "has">,
  write: (position: number) => void,
): OrderedRows {
  const files: IndexableFile[] = [];
  const ready = new Set<string>();
  const add = (more: readonly IndexableFile[]): void => {
    files.push(...more);
    for (const file of more) if (cache.has(cacheKey(file))) ready.add(placeOf(file));
  };
  add(first);
  let next = 0;
  const writeReady = async (): Promise<void> => {
    for (;;) {
      await nextTurn();
      const file = files[next];
      if (file === undefined || !ready.has(placeOf(file))) return;
      next += 1;
      write(next - 1);
    }
  };
  let writing = Promise.resolve();
  return {
    filesMax: STORED_AT_ONCE,
    add,
    expect: () => undefined,
    ready(parsed) {
      for (const file of parsed) ready.add(placeOf(file));
      writing = writing.then(writeReady);
      // `written` throws it; until then a rejection must not count as unheard.
      writing.catch(() => undefined);
    },
    written: () => writing,
  };
}

/** A file with its content, in one string. */
export const placeOf = ({ path, contentHash }: IndexableFile): string => `${path}\0${contentHash}`;
