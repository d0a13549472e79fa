/**
 * Indexed commits in a store. A snapshot's row is written last, in one transaction that checks that everything it names is there, so
 * what can be seen is whole.
 */

import { z } from "zod";
import { parseJson } from "../text/parse-json.ts";
import type { BlobName, BlobStore } from "./blobs.ts";
import { type Connection, storeRefused, textList } from "./connection.ts";
import type { FactsKey } from "./facts.ts";
import { NOW } from "./schema.ts";

/**
 * A commit of a branch of a repository, indexed by one build. `build` covers everything besides content that decides how rows look: snapshots of the
 * same build can begin an index. Times are milliseconds since 1970.
 */
export type Snapshot = {
  readonly repository: string;
  readonly commit: string;
  readonly build: string;
  readonly branch: string | null;
  readonly craVersion: string;
  readonly extractor: string;
  readonly configHash: string;
  /** The content hash of the index: equal ones give equal packages. */
  readonly contentHash: string;
  /** The clone that it was made from lacked older commits. */
  readonly isShallow: boolean;
  readonly files: number;
  /** Whether the texts of the files are stored, which a server needs. */
  readonly hasTexts: boolean;
  readonly index: BlobName;
  readonly tree: BlobName;
  readonly pushedAt: number;
};

/** A repository in a store. */
export type StoredRepository = {
  readonly name: string;
  readonly commits: number;
  readonly branches: readonly string[];
  readonly newestAt: number;
};

/** What the row of a new snapshot has to find in the store. */
type SnapshotParts = { readonly chunks: readonly string[]; readonly blobs: readonly string[] };

export type SnapshotStore = {
  /** The snapshots of a repository, newest first; of one build, of one commit, or with texts if asked. */
  list(repository: string, which?: SnapshotFilter): Promise<readonly Snapshot[]>;
  /** All repositories, by name. */
  repositories(): Promise<readonly StoredRepository[]>;
  /** Makes a snapshot visible. Throws `store-refused` if a part is missing, which then was pruned meanwhile. */
  publish(snapshot: Omit<Snapshot, "pushedAt">, parts: SnapshotParts): Promise<void>;
};

type SnapshotFilter = {
  readonly build?: string;
  readonly branch?: string;
  readonly commit?: string;
  readonly withTexts?: true;
  /** The most that are returned. */
  readonly limit?: number;
};

/** A name of a repository: parts of a path, as in `github.com/pallets/flask`. */
export const isRepositoryName = (name: string): boolean =>
  name.length <= 200 && /^[A-Za-z0-9_][A-Za-z0-9_.+-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.+-]*)*$/.test(name);

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const commit = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
const size = z.coerce
  .number()
  .int()
  .nonnegative()
  .max(64 * 1024 ** 3);

const Row = z
  .object({
    repository: z.string().refine(isRepositoryName),
    commit_hash: commit,
    build: z.string().regex(/^[0-9a-f]{1,64}$/),
    branch: z.string().max(1_000),
    cra_version: z.string().max(200),
    extractor: z.string().max(200),
    config_hash: z.string().max(200),
    content_hash: hash,
    is_shallow: z.boolean(),
    files: z.int().nonnegative(),
    has_texts: z.boolean(),
    index_hash: hash,
    index_bytes: size,
    tree_hash: hash,
    tree_bytes: size,
    pushed_at: z.coerce.number(),
  })
  .transform(
    (row): Snapshot => ({
      repository: row.repository,
      commit: row.commit_hash,
      build: row.build,
      branch: row.branch === "" ? null : row.branch,
      craVersion: row.cra_version,
      extractor: row.extractor,
      configHash: row.config_hash,
      contentHash: row.content_hash,
      isShallow: row.is_shallow,
      files: row.files,
      hasTexts: row.has_texts,
      index: { hash: row.index_hash, bytes: row.index_bytes },
      tree: { hash: row.tree_hash, bytes: row.tree_bytes },
      pushedAt: row.pushed_at,
    }),
  );

const COLUMNS = `repository, commit_hash, build, branch, cra_version, extractor, config_hash, content_hash, is_shallow, files,
  has_texts, index_hash, index_bytes, tree_hash, tree_bytes, pushed_at`;

const Summary = z.object({
  name: z.string().refine(isRepositoryName),
  branch: z.string(),
  commits: z.coerce.number(),
  newest: z.coerce.number(),
});

export const snapshotStore = (connection: Connection): SnapshotStore => ({
  list: (repository, which = {}) => listSnapshots(connection, repository, which),
  async repositories() {
    const rows = await connection.rows(
      Summary,
      `select repository as name, branch, commits, max(pushed_at) as newest from cra.snapshots
       join (select repository, count(distinct commit_hash) as commits from cra.snapshots group by repository) counted
       using (repository) group by repository, branch, commits order by repository, branch`,
    );
    return [...Map.groupBy(rows, ({ name }) => name)].map(([name, own]) => ({
      name,
      commits: own[0]?.commits ?? 0,
      branches: own.flatMap(({ branch }) => (branch === "" ? [] : branch)),
      newestAt: Math.max(...own.map(({ newest }) => newest)),
    }));
  },
  publish: (snapshot, parts) => connection.transaction((inside) => publish(inside, snapshot, parts)),
});

async function listSnapshots(
  connection: Connection,
  repository: string,
  { build, branch, commit: commitHash, withTexts, limit }: SnapshotFilter,
): Promise<readonly Snapshot[]> {
  const values: (string | number)[] = [repository];
  const conditions = ["repository = $1::text"];
  for (const [column, value] of [
    ["build", build],
    ["branch", branch],
    ["commit_hash", commitHash],
  ] as const) {
    if (value === undefined) continue;
    values.push(value);
    conditions.push(`${column} = $${values.length}::text`);
  }
  if (withTexts === true) conditions.push("has_texts");
  return await connection.rows(
    Row,
    `select ${COLUMNS} from cra.snapshots where ${conditions.join(" and ")}
     order by pushed_at desc, commit_hash, build${limit === undefined ? "" : ` limit ${Math.trunc(limit)}`}`,
    values,
  );
}

const Hash = z.object({ hash: z.string() });
const HASHES_AT_ONCE = 5_000;

async function publish(inside: Connection, snapshot: Omit<Snapshot, "pushedAt">, parts: SnapshotParts): Promise<void> {
  for (const table of ["chunks", "blobs"] as const) {
    const wanted = [...new Set(parts[table])].sort();
    for (let at = 0; at < wanted.length; at += HASHES_AT_ONCE) {
      const some = wanted.slice(at, at + HASHES_AT_ONCE);
      const found = await inside.rows(
        Hash,
        `select hash from cra.${table} where hash = any($1::text[]) order by hash for share`,
        [textList(some)],
      );
      if (found.length < some.length)
        throw storeRefused(inside.shown, "what was pushed has been pruned meanwhile", "push again");
    }
  }
  const { repository, commit: commitHash, build, branch, index, tree } = snapshot;
  await inside.run(
    `insert into cra.snapshots(${COLUMNS})
     values ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::boolean, $10::int,
       $11::boolean, $12::text, $13::bigint, $14::text, $15::bigint, ${NOW})
     on conflict (repository, commit_hash, build, branch) do update set content_hash = excluded.content_hash, is_shallow = excluded.is_shallow, files = excluded.files, has_texts = excluded.has_texts,
       index_hash = excluded.index_hash, index_bytes = excluded.index_bytes, tree_hash = excluded.tree_hash,
       tree_bytes = excluded.tree_bytes, pushed_at = excluded.pushed_at`,
    [
      repository,
      commitHash,
      build,
      branch ?? "",
      snapshot.craVersion,
      snapshot.extractor,
      snapshot.configHash,
      snapshot.contentHash,
      snapshot.isShallow,
      snapshot.files,
      snapshot.hasTexts,
      index.hash,
      index.bytes,
      tree.hash,
      tree.bytes,
    ],
  );
}

/** One file of a tree: its path, the key of its content, and its size. */
export type TreeFile = FactsKey & { readonly path: string; readonly bytes: number };

const Line = z.tuple([z.string(), hash, z.string().max(64), z.int().nonnegative()]);

/** A tree as lines, in the order of its files. */
export const treeLines = (files: Iterable<TreeFile>): Iterable<string> =>
  Iterator.from(files).map((file) => JSON.stringify([file.path, file.hash, file.language, file.bytes]));

/** The files of a tree; null if it is damaged. */
export function readTree(text: string): readonly TreeFile[] | null {
  const files: TreeFile[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const read = Line.safeParse(parseJson(line));
    if (!read.success) return null;
    const [path, fileHash, language, bytes] = read.data;
    files.push({ path, hash: fileHash, language, bytes });
  }
  return files;
}

/** The files of a snapshot. Throws `store-refused` for a damaged tree. */
export async function treeOf(
  { blobs, shown }: { readonly blobs: BlobStore; readonly shown: string },
  { tree, commit: commitHash }: Pick<Snapshot, "tree" | "commit">,
): Promise<readonly TreeFile[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.get(tree, { chunks: 0, bytes: 0 })) pieces.push(piece);
  const files = readTree(Buffer.concat(pieces).toString("utf8"));
  if (files === null) throw storeRefused(shown, `the tree of ${commitHash.slice(0, 12)} is damaged`);
  return files;
}
