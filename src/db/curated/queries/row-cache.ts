/**
 * Caches rows of the index between the tasks of one process.
 *
 * Only the newest requested generation is cached, within the limits below. Cached rows are returned as the same value, so callers
 * can attach derived data to them in weak maps.
 */
import type {
  CorpusStats,
  DefinitionRow,
  FileDefinitions,
  FileRow,
  NamedDefinition,
  ReferenceRow,
  SymbolRow,
} from "../knowledge-base.ts";
import type { IndexMeta } from "../meta.ts";

/** The rows of a generation read so far. `bytes` and `texts` are keyed by file id, `named` by name. */
export type RowCache = {
  files: readonly FileRow[] | null;
  termStats: CorpusStats | null;
  importerCounts: ReadonlyMap<number, number> | null;
  readonly bytes: TextCache<Buffer>;
  /** The decoded part of `bytes`. */
  readonly texts: TextCache<string>;
  readonly symbols: ListCache<number, SymbolRow>;
  readonly definitions: ListCache<number, DefinitionRow>;
  readonly definitionIds: ListCache<number, FileDefinitions>;
  /** By id of the definition. */
  readonly definitionRows: ListCache<number, DefinitionRow>;
  readonly named: ListCache<string, NamedDefinition>;
  /** By the referring symbol. */
  readonly references: ListCache<number, PlacedReference>;
};

/** A reference with the path of its file. */
export type PlacedReference = { readonly path: string; readonly row: ReferenceRow };

/** Texts with their total length, in characters or bytes. */
type TextCache<Text> = { readonly known: Map<number, Text>; length: number };

/** Rows by the key of the request; `count` is the number of keys and rows. */
type ListCache<Key, Row> = { readonly known: Map<Key, readonly Row[]>; count: number };

const noTexts = <Text>(): TextCache<Text> => ({ known: new Map(), length: 0 });

/** A cache for one open index. */
export const emptyCache = (): RowCache => ({
  files: null,
  termStats: null,
  importerCounts: null,
  bytes: noTexts(),
  texts: noTexts(),
  symbols: { known: new Map(), count: 0 },
  definitions: { known: new Map(), count: 0 },
  definitionIds: { known: new Map(), count: 0 },
  definitionRows: { known: new Map(), count: 0 },
  named: { known: new Map(), count: 0 },
  references: { known: new Map(), count: 0 },
});

let newest: { readonly generation: string; readonly rows: RowCache } | null = null;

/** The cache of the generation that `meta` describes. `fileKey` detects a file that was replaced or damaged since. */
export function rowCache(fileKey: string, meta: IndexMeta): RowCache {
  const generation = JSON.stringify([fileKey, meta]);
  if (newest?.generation !== generation) newest = { generation, rows: emptyCache() };
  return newest.rows;
}

/** Beyond this many keys and rows, about 20 MB, a list starts over. Consecutive tasks on 6,000 files request 60,000 definitions. */
const CACHED_ROWS_MAX = 80_000;

/** Reads the rows of the keys that are not cached yet, and returns all cached rows. */
export function readMissing<Key, Row>(
  cache: ListCache<Key, Row>,
  keys: readonly Key[],
  keyOf: (row: Row) => Key,
  read: (keys: readonly Key[]) => readonly Row[],
): ReadonlyMap<Key, readonly Row[]> {
  const { known } = cache;
  if (cache.count > CACHED_ROWS_MAX) {
    known.clear();
    cache.count = 0;
  }
  const missing = keys.filter((key) => !known.has(key));
  if (missing.length > 0) {
    const rows = read(missing);
    const found = Map.groupBy(rows, keyOf);
    for (const key of missing) known.set(key, found.get(key) ?? []);
    cache.count += missing.length + rows.length;
  }
  return known;
}

/**
 * Reads the rows of each key once: ranking, precision and packing mostly request the same ones. Results are in the order of
 * the keys.
 */
export function cachedLists<Key, Row>(
  cache: ListCache<Key, Row>,
  keyOf: (row: Row) => Key,
  read: (keys: readonly Key[]) => readonly Row[],
): (keys: readonly Key[]) => readonly Row[] {
  return (keys) => {
    const known = readMissing(cache, keys, keyOf, read);
    const all: Row[] = [];
    for (const key of keys) for (const row of known.get(key) ?? []) all.push(row);
    return all;
  };
}

/** The total length of cached texts; more than ranking reads for its phrases. */
const CACHED_LENGTH_MAX = 16_000_000;

/** Reads each file's text once, as long as the cache has room. */
export function cachedTexts<Text extends { readonly length: number }>(
  cache: TextCache<Text>,
  read: (fileIds: readonly number[]) => ReadonlyMap<number, Text>,
): (fileIds: readonly number[]) => ReadonlyMap<number, Text> {
  const { known } = cache;
  return (fileIds) => {
    const missing = fileIds.filter((id) => !known.has(id));
    const fresh: ReadonlyMap<number, Text> = missing.length > 0 ? read(missing) : known;
    for (const id of missing) {
      const text = fresh.get(id);
      if (text === undefined || known.has(id) || cache.length + text.length > CACHED_LENGTH_MAX) continue;
      known.set(id, text);
      cache.length += text.length;
    }
    const found = new Map<number, Text>();
    for (const id of fileIds) {
      const text = known.get(id) ?? fresh.get(id);
      if (text !== undefined) found.set(id, text);
    }
    return found;
  };
}
