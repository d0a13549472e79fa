/**
 * The migrations of a store, and the roles that may use it. The list only grows: a released migration never changes.
 *
 * Plain SQL of tables, keys and indexes, so that engines that speak PostgreSQL's protocol can take its place. Hashes are hex. Times are
 * milliseconds since 1970, by the clock of the database.
 */
import { z } from "zod";
import { Failed } from "../failure.ts";
import { type Connection, NO_STORE, storeRefused } from "./connection.ts";

const V1: readonly string[] = [
  "create schema if not exists cra",
  `create table cra.store (
    id integer primary key check (id = 1),
    version integer not null
  )`,
  // What parsing found in a content, in the parts of the parse cache.
  `create table cra.facts (
    hash text not null,
    language text not null,
    extractor text not null,
    facts bytea not null,
    uses bytea not null,
    prose bytea not null,
    stats bytea not null,
    used_at bigint not null,
    primary key (hash, language, extractor)
  )`,
  "create index facts_used_at on cra.facts(used_at)",
  // Pieces of at most 64 KiB, packed with zstd. Without bytes it lies in a bucket.
  `create table cra.chunks (
    hash text primary key,
    bytes integer not null,
    packed bytea,
    used_at bigint not null
  )`,
  "create index chunks_used_at on cra.chunks(used_at)",
  // Contents of several chunks, whose hashes stand one after the other. A smaller content is a chunk.
  `create table cra.blobs (
    hash text primary key,
    bytes bigint not null,
    chunks text not null,
    used_at bigint not null
  )`,
  "create index blobs_used_at on cra.blobs(used_at)",
  // One commit, indexed by one build of cra. This row comes last: with it everything of the commit becomes visible.
  `create table cra.snapshots (
    repository text not null,
    commit_hash text not null,
    build text not null,
    branch text,
    cra_version text not null,
    extractor text not null,
    config_hash text not null,
    content_hash text not null,
    is_shallow boolean not null,
    files integer not null,
    has_texts boolean not null,
    index_hash text not null,
    index_bytes bigint not null,
    tree_hash text not null,
    tree_bytes bigint not null,
    pushed_at bigint not null,
    primary key (repository, commit_hash, build)
  )`,
  "create index snapshots_pushed_at on cra.snapshots(repository, pushed_at)",
  // Who may ask a server, by the SHA-256 of a token. \`repositories\` is a JSON list of names, where * stands for any letters.
  `create table cra.grants (
    token_hash text primary key,
    name text not null unique,
    repositories text not null,
    created_at bigint not null,
    expires_at bigint
  )`,
  // What workers lease. \`contents\` is a JSON list of the hash, language and size of contents to parse, or an object: a commit to index.
  `create table cra.jobs (
    id text primary key,
    extractor text not null,
    contents text not null,
    state text not null,
    tries integer not null,
    leased_until bigint not null,
    worker text,
    problem text,
    created_at bigint not null
  )`,
  "create index jobs_due on cra.jobs(extractor, state, leased_until)",
];

const V2: readonly string[] = [
  // A chunk may be the pages in which it differs from another one, which is no such patch itself.
  "alter table cra.chunks add column base text",
  // The hashes of the pages of a chunk of a database that others may be patches of.
  "alter table cra.chunks add column pages bytea",
];

const V3: readonly string[] = [
  // Several branches may have a commit: each has a row of it. Without a branch it is '', as a key holds no null.
  "update cra.snapshots set branch = '' where branch is null",
  "alter table cra.snapshots drop constraint snapshots_pkey",
  "alter table cra.snapshots alter column branch set not null",
  "alter table cra.snapshots add primary key (repository, commit_hash, build, branch)",
];

const MIGRATIONS: readonly (readonly string[])[] = [V1, V2, V3];

/** The version of the schema that this cra reads and writes. */
export const STORE_VERSION = MIGRATIONS.length;

/** Milliseconds since 1970, by the clock of the database. */
export const NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

const Version = z.object({ version: z.int() });

/** The version of the store; 0 where there is none. Throws `store-unavailable`. */
export async function storeVersion(connection: Connection): Promise<number> {
  try {
    const [row] = await connection.rows(Version, "select version from cra.store where id = 1");
    return row?.version ?? 0;
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "store-unavailable" && error.failure.next === NO_STORE.next)
      return 0;
    throw error;
  }
}

/** Throws `store-refused` for a store of another version, and `store-unavailable` where there is none. */
export async function checkVersion(connection: Connection): Promise<void> {
  const { shown } = connection;
  const version = await storeVersion(connection);
  if (version === STORE_VERSION) return;
  if (version === 0) throw new Failed({ code: "store-unavailable", where: shown, ...NO_STORE });
  throw version > STORE_VERSION
    ? storeRefused(
        shown,
        `it is of a newer cra (version ${version}; this cra supports ${STORE_VERSION})`,
        "use that cra",
      )
    : storeRefused(shown, `it is of an older cra (version ${version}; this cra needs ${STORE_VERSION})`, NO_STORE.next);
}

/** Creates the store, or brings it to this version. Returns the version before. Harmless if it is done twice or at once. */
export async function migrate(connection: Connection): Promise<number> {
  const before = await storeVersion(connection);
  if (before > STORE_VERSION) await checkVersion(connection);
  for (let version = before; version < STORE_VERSION; version += 1) {
    try {
      await connection.transaction(async (inside) => {
        for (const sql of MIGRATIONS[version] ?? []) await inside.run(sql);
        await inside.run(
          `insert into cra.store(id, version) values (1, $1::int)
           on conflict (id) do update set version = excluded.version`,
          [version + 1],
        );
      });
    } catch (error) {
      // Another cra may have done it at the same time.
      if ((await storeVersion(connection)) <= version) throw error;
    }
  }
  return before;
}

/**
 * What a role may do. "reader": take indexes. "server": also look up grants of tokens. "worker": also take jobs and store facts. "writer":
 * also push. Only the owner of the store prunes it and grants.
 */
export type StoreRole = "reader" | "server" | "worker" | "writer";

const READABLE = "cra.store, cra.facts, cra.chunks, cra.blobs, cra.snapshots";
const RIGHTS: Readonly<Record<StoreRole, readonly string[]>> = {
  reader: [],
  server: ["select on cra.grants"],
  worker: ["select, update on cra.jobs", "insert on cra.facts"],
  writer: ["insert, update on cra.facts, cra.chunks, cra.blobs, cra.snapshots", "select, insert, update on cra.jobs"],
};

const ROLE_NAME = /^[a-z_][a-z0-9_$-]{0,62}$/;

/** Gives an existing role the rights of a reader, server, worker or writer. Throws a usage failure for a name that no role has. */
export async function grantRole(connection: Connection, role: StoreRole, name: string): Promise<void> {
  if (!ROLE_NAME.test(name))
    throw new Failed({
      code: "usage",
      message: `--${role}: not the name of a role`,
      next: "use small letters, digits and _",
    });
  await connection.transaction(async (inside) => {
    await inside.run(`grant usage on schema cra to "${name}"`);
    await inside.run(`grant select on ${READABLE} to "${name}"`);
    for (const right of RIGHTS[role]) await inside.run(`grant ${right} to "${name}"`);
  });
}
