/**
 * What a store uses, and how it becomes smaller: snapshots go by age and branch, and then what no snapshot names.
 *
 * A push marks what it finds, and what was marked within a day stays, so pruning never takes from a push that is running.
 */
import { z } from "zod";
import type { BlobStore } from "./blobs.ts";
import type { Bucket } from "./bucket.ts";
import { type Connection, textList } from "./connection.ts";
import { factsKey, UNUSED_MS } from "./facts.ts";
import { matchesPattern } from "./grant-pattern.ts";
import { NOW } from "./schema.ts";
import { type Snapshot, type SnapshotStore, treeOf } from "./snapshots.ts";

/** Rows and stored bytes of one kind of thing. */
export type StoreUse = { readonly what: string; readonly rows: number; readonly bytes: number };

/**
 * Which snapshots go: those pushed more than `days` ago, except the newest of each branch and build; and those of one branch,
 * whatever their age.
 */
export type PruneRule = {
  readonly days: number | null;
  /** Branches whose snapshots go, whatever their age. `*` stands for any letters. */
  readonly branches: readonly string[];
  /** Only of these repositories, of all if there are none. `*` stands for any letters. */
  readonly repositories: readonly string[];
  readonly dryRun: boolean;
};

export type Pruned = {
  readonly snapshots: readonly Pick<Snapshot, "repository" | "commit" | "branch" | "pushedAt">[];
  readonly facts: number;
  readonly chunks: number;
  readonly blobs: number;
};

const USES: readonly (readonly [what: string, sql: string])[] = [
  ["snapshots", "select count(*) as rows, 0 as bytes from cra.snapshots"],
  [
    "facts",
    `select count(*) as rows, coalesce(sum(octet_length(facts) + octet_length(uses) + octet_length(prose) + octet_length(stats)), 0)
       as bytes from cra.facts`,
  ],
  [
    "chunks",
    "select count(*) as rows, coalesce(sum(octet_length(packed)), 0) as bytes from cra.chunks where packed is not null",
  ],
  ["chunks in a bucket", "select count(*) as rows, 0 as bytes from cra.chunks where packed is null"],
  ["lists of chunks", "select count(*) as rows, coalesce(sum(octet_length(chunks)), 0) as bytes from cra.blobs"],
];

const Use = z.object({ rows: z.coerce.number(), bytes: z.coerce.number() });

export async function storeUses(connection: Connection): Promise<readonly StoreUse[]> {
  const uses: StoreUse[] = [];
  for (const [what, sql] of USES)
    for (const { rows, bytes } of await connection.rows(Use, sql)) if (rows > 0) uses.push({ what, rows, bytes });
  return uses;
}

const Now = z.object({ now: z.coerce.number() });
const DAY_MS = 86_400_000;

type Parts = { readonly blobs: BlobStore; readonly snapshots: SnapshotStore; readonly bucket: Bucket | null };

/** Removes snapshots, and what no other snapshot needs. Throws `store-refused` while a remaining tree cannot be read. */
export async function pruneStore(connection: Connection, parts: Parts, rule: PruneRule): Promise<Pruned> {
  const [clock] = await connection.rows(Now, `select ${NOW} as now`);
  const all: Snapshot[] = [];
  for (const { name } of await parts.snapshots.repositories()) all.push(...(await parts.snapshots.list(name)));
  const gone = all.filter((snapshot) => isDue(snapshot, all, rule, clock?.now ?? 0));
  if (rule.dryRun) return { snapshots: gone, facts: 0, chunks: 0, blobs: 0 };
  for (const { repository, commit, build, branch, pushedAt } of gone)
    await connection.run(
      `delete from cra.snapshots where repository = $1::text and commit_hash = $2::text and build = $3::text
       and branch = $4::text and pushed_at = $5::bigint`,
      [repository, commit, build, branch ?? "", pushedAt],
    );
  const isGone = new Set(gone);
  const needed = await neededBy(
    parts.blobs,
    connection.shown,
    all.filter((snapshot) => !isGone.has(snapshot)),
  );
  const facts = await sweepFacts(connection, needed.facts);
  const blobs = await sweep(connection, "blobs", needed.blobs, null);
  const chunks = await sweep(connection, "chunks", needed.chunks, parts.bucket);
  return { snapshots: gone, facts, chunks, blobs };
}

const matchesAny = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesPattern(pattern, name));

function isDue(snapshot: Snapshot, all: readonly Snapshot[], rule: PruneRule, now: number): boolean {
  const { repository, branch, build, pushedAt } = snapshot;
  if (rule.repositories.length > 0 && !matchesAny(rule.repositories, repository)) return false;
  if (branch !== null && matchesAny(rule.branches, branch)) return true;
  if (rule.days === null || pushedAt >= now - rule.days * DAY_MS) return false;
  const isNewest = !all.some(
    (other) =>
      other.repository === repository && other.branch === branch && other.build === build && other.pushedAt > pushedAt,
  );
  return !isNewest;
}

type Needed = Record<"facts" | "blobs" | "chunks", Set<string>>;

async function neededBy(blobs: BlobStore, shown: string, snapshots: readonly Snapshot[]): Promise<Needed> {
  const needed: Needed = { facts: new Set(), blobs: new Set(), chunks: new Set() };
  const add = async (name: { readonly hash: string; readonly bytes: number }): Promise<void> => {
    needed.blobs.add(name.hash);
    for (const hash of (await blobs.chunksOf(name)) ?? []) needed.chunks.add(hash);
  };
  const trees = new Map(
    snapshots.map((snapshot) => [`${snapshot.tree.hash} ${snapshot.extractor} ${snapshot.hasTexts}`, snapshot]),
  );
  for (const { index } of snapshots) await add(index);
  for (const snapshot of trees.values()) {
    const { tree, extractor, hasTexts } = snapshot;
    await add(tree);
    for (const file of await treeOf({ blobs, shown }, snapshot)) {
      needed.facts.add(`${factsKey(file)}:${extractor}`);
      if (hasTexts && !needed.blobs.has(file.hash)) await add(file);
    }
  }
  for (const hash of await blobs.basesOf([...needed.chunks])) needed.chunks.add(hash);
  return needed;
}

const ROWS_AT_ONCE = 2_000;
const Fact = z.object({ hash: z.string(), language: z.string(), extractor: z.string() });
const Hash = z.object({ hash: z.string() });
const UNUSED = `used_at < ${NOW} - ${UNUSED_MS}`;

async function sweepFacts(connection: Connection, needed: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  let after = ["", "", ""];
  for (;;) {
    const rows = await connection.rows(
      Fact,
      `select hash, language, extractor from cra.facts where ${UNUSED} and (hash, language, extractor) > ($1::text, $2::text, $3::text)
       order by hash, language, extractor limit ${ROWS_AT_ONCE}`,
      after,
    );
    const last = rows.at(-1);
    if (last === undefined) return removed;
    after = [last.hash, last.language, last.extractor];
    const useless = rows.filter((row) => !needed.has(`${factsKey(row)}:${row.extractor}`));
    if (useless.length === 0) continue;
    removed += await connection.run(
      `delete from cra.facts where ${UNUSED} and (hash, language, extractor) in
         (select * from unnest($1::text[], $2::text[], $3::text[]))`,
      [
        textList(useless.map((row) => row.hash)),
        textList(useless.map(({ language }) => language)),
        textList(useless.map(({ extractor }) => extractor)),
      ],
    );
  }
}

async function sweep(
  connection: Connection,
  table: "blobs" | "chunks",
  needed: ReadonlySet<string>,
  bucket: Bucket | null,
): Promise<number> {
  let removed = 0;
  let after = "";
  for (;;) {
    const rows = await connection.rows(
      Hash,
      `select hash from cra.${table} where ${UNUSED} and hash > $1::text order by hash limit ${ROWS_AT_ONCE}`,
      [after],
    );
    const last = rows.at(-1);
    if (last === undefined) return removed;
    after = last.hash;
    const useless = rows.map(({ hash }) => hash).filter((hash) => !needed.has(hash));
    if (useless.length === 0) continue;
    // With a bucket the row goes first: a chunk without a row is sent again.
    const gone = await connection.rows(
      Hash,
      `delete from cra.${table} where ${UNUSED} and hash = any($1::text[]) returning hash`,
      [textList(useless)],
    );
    removed += gone.length;
    if (bucket !== null)
      for (let at = 0; at < gone.length; at += OBJECTS_AT_ONCE)
        await removeObjects(connection, bucket, gone.slice(at, at + OBJECTS_AT_ONCE));
  }
}

const OBJECTS_AT_ONCE = 64;

/** Removes objects without rows. Rows that nobody else sees make a push of the same chunks wait, and leave out what has been pushed again. */
async function removeObjects(
  connection: Connection,
  bucket: Bucket,
  gone: readonly { readonly hash: string }[],
): Promise<void> {
  const hashes = textList(gone.map(({ hash }) => hash).sort());
  await connection.transaction(async (inside) => {
    const own = await inside.rows(
      Hash,
      `insert into cra.chunks(hash, bytes, used_at) select unnest($1::text[]), 0, 0 on conflict do nothing returning hash`,
      [hashes],
    );
    await Promise.all(own.map(({ hash }) => bucket.remove(hash)));
    await inside.run("delete from cra.chunks where hash = any($1::text[])", [textList(own.map(({ hash }) => hash))]);
  });
}
