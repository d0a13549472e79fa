/** Writes the rows of chunks and of lists of chunks, and marks those that are there as used. */
import { z } from "zod";
import { type Connection, textList } from "./connection.ts";
import { MARK_MS } from "./facts.ts";
import { NOW } from "./schema.ts";

/** A chunk as it is stored; without bytes it lies in a bucket. See `blobs.ts` for `base` and `pages`. */
type PackedChunk = {
  readonly hash: string;
  readonly bytes: number;
  readonly packed: Uint8Array | null;
  readonly base: string | null;
  readonly pages: Uint8Array | null;
};

const Hash = z.object({ hash: z.string() });

/** Which of these exist. They cannot be pruned for a day. */
export async function keptOf(
  connection: Connection,
  table: "chunks" | "blobs",
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const listed = [textList(hashes)];
  await connection.run(
    `with due as (select hash from cra.${table} where hash = any($1::text[]) and used_at < ${NOW} - ${MARK_MS}
       order by hash for update)
     update cra.${table} c set used_at = ${NOW} from due where c.hash = due.hash`,
    listed,
  );
  const rows = await connection.rows(Hash, `select hash from cra.${table} where hash = any($1::text[])`, listed);
  return new Set(rows.map(({ hash }) => hash));
}

/** What becomes of a row that is there. */
const onConflict = (overwrites: boolean, columns: readonly string[]): string =>
  overwrites
    ? `on conflict (hash) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}`
    : "on conflict do nothing";

/** Adds chunks, in the order of their hashes, so that two pushes never wait for each other. */
export async function insertChunks(
  connection: Connection,
  chunks: readonly PackedChunk[],
  overwrites: boolean,
): Promise<void> {
  const types = ["text", "int", "bytea", "text", "bytea"];
  const places = chunks.map(
    (_, row) => `(${types.map((type, at) => `$${types.length * row + at + 1}::${type}`).join(", ")}, ${NOW})`,
  );
  await connection.run(
    `insert into cra.chunks(hash, bytes, packed, base, pages, used_at) values ${places.join(", ")}
     ${onConflict(overwrites, ["bytes", "packed", "base", "pages", "used_at"])}`,
    chunks.flatMap(({ hash, bytes, packed, base, pages }) => [hash, bytes, packed, base, pages]),
  );
}

/** Adds a list of chunks: their hashes, one after the other. Returns its size. */
export async function insertBlob(
  connection: Connection,
  { hash, bytes, chunks }: { readonly hash: string; readonly bytes: number; readonly chunks: string },
  overwrites: boolean,
): Promise<number> {
  await connection.run(
    `insert into cra.blobs(hash, bytes, chunks, used_at) values ($1::text, $2::bigint, $3::text, ${NOW})
     ${onConflict(overwrites, ["bytes", "chunks", "used_at"])}`,
    [hash, bytes, chunks],
  );
  return chunks.length;
}
