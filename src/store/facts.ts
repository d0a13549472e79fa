/** The facts of contents in a store, keyed and packed as in the parse cache. Nothing that comes from here is trusted yet. */
import { z } from "zod";
import { type Connection, textList } from "./connection.ts";
import { NOW } from "./schema.ts";

/** Identifies a content; `hash` is the hex SHA-256 of the file's bytes. */
export type FactsKey = { readonly hash: string; readonly language: string };

/** The packed parts of an entry of the parse cache, without the text. */
export type FactsRow = FactsKey & {
  readonly facts: Uint8Array;
  readonly uses: Uint8Array;
  readonly prose: Uint8Array;
  readonly stats: Uint8Array;
};

export type FactsStore = {
  /** Which of these contents have facts, as results of `factsKey`. */
  has(keys: readonly FactsKey[]): Promise<ReadonlySet<string>>;
  /** The same, and keeps these from being pruned for a day. None in a store that was opened to overwrite what it has. */
  keep(keys: readonly FactsKey[]): Promise<ReadonlySet<string>>;
  /** Those of the facts that exist, in no order. A row larger than a limit is left out. */
  get(keys: readonly FactsKey[]): Promise<readonly FactsRow[]>;
  /** Adds facts. Those that exist stay as they are, unless the store was opened to overwrite them. */
  put(rows: readonly FactsRow[]): Promise<void>;
};

/** A key as one text. */
export const factsKey = ({ hash, language }: FactsKey): string => `${hash}:${language}`;

/** What was used within this time is not marked again; what was not used for a day may be pruned. */
export const MARK_MS = 6 * 3_600_000;
export const UNUSED_MS = 24 * 3_600_000;

/** The largest part of facts that is taken, packed. */
const PART_BYTES_MAX = 16 * 1024 * 1024;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const bytes = z.instanceof(Uint8Array);
const Key = z.object({ hash, language: z.string().max(64) });
const Row = Key.extend({ facts: bytes, uses: bytes, prose: bytes, stats: bytes });

const OF = "(hash, language) in (select * from unnest($1::text[], $2::text[])) and extractor = $3::text";

export function factsStore(connection: Connection, extractor: string, overwrites: boolean): FactsStore {
  const listed = (keys: readonly FactsKey[]) => [
    textList(keys.map((key) => key.hash)),
    textList(keys.map(({ language }) => language)),
    extractor,
  ];
  const has: FactsStore["has"] = async (keys) => {
    if (keys.length === 0) return new Set();
    const rows = await connection.rows(Key, `select hash, language from cra.facts where ${OF}`, listed(keys));
    return new Set(rows.map(factsKey));
  };
  return {
    has,
    async keep(keys) {
      if (keys.length === 0 || overwrites) return new Set();
      // In order, so that two jobs never wait for each other.
      await connection.run(
        `with due as (select hash, language, extractor from cra.facts where ${OF} and used_at < ${NOW} - ${MARK_MS}
           order by hash, language for update)
         update cra.facts f set used_at = ${NOW} from due
         where f.hash = due.hash and f.language = due.language and f.extractor = due.extractor`,
        listed(keys),
      );
      return await has(keys);
    },
    get: async (keys) =>
      keys.length === 0
        ? []
        : await connection.rows(
            Row,
            `select hash, language, facts, uses, prose, stats from cra.facts where ${OF}
             and octet_length(facts) <= $4::int and octet_length(uses) <= $4::int and octet_length(prose) <= $4::int
             and octet_length(stats) <= $4::int`,
            [...listed(keys), PART_BYTES_MAX],
          ),
    async put(rows) {
      const sorted = rows.toSorted((a, b) => (factsKey(a) < factsKey(b) ? -1 : 1));
      for (let at = 0; at < sorted.length; at += ROWS_PER_INSERT) {
        const some = sorted.slice(at, at + ROWS_PER_INSERT);
        const places = some.map((_, row) => {
          const first = row * 6 + 2;
          const of = (column: number, type: string): string => `$${first + column}::${type}`;
          return `(${of(0, "text")}, ${of(1, "text")}, $1::text, ${of(2, "bytea")}, ${of(3, "bytea")}, ${of(4, "bytea")}, ${of(5, "bytea")}, ${NOW})`;
        });
        await connection.run(
          `insert into cra.facts(hash, language, extractor, facts, uses, prose, stats, used_at) values ${places.join(", ")}
           ${overwrites ? OVERWRITE : "on conflict do nothing"}`,
          [extractor, ...some.flatMap((row) => [row.hash, row.language, row.facts, row.uses, row.prose, row.stats])],
        );
      }
    },
  };
}

const ROWS_PER_INSERT = 100;
const OVERWRITE = `on conflict (hash, language, extractor) do update set facts = excluded.facts, uses = excluded.uses,
  prose = excluded.prose, stats = excluded.stats, used_at = excluded.used_at`;
