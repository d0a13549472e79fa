/** Stores what a SCIP index states: for each covered file, with one content, which definition uses which other one. */
import type { Db } from "../../sqlite/db.ts";
import { IN_LIST, list } from "../../sqlite/in-list.ts";

/** See `indexing/scip/exact-uses.ts`. */
type StoredUse = {
  readonly caller: number;
  readonly name: string;
  readonly callee: { readonly path: string; readonly qualifiedName: string } | null;
  readonly kind: string;
};

type StoredExactFile = {
  readonly path: string;
  readonly contentHash: string;
  readonly uses: readonly StoredUse[];
};

export type ExactUseStore = {
  /** Replaces everything. */
  setExactFiles(files: readonly StoredExactFile[]): void;
  /** The content hash of each covered file. */
  exactFiles(): ReadonlyMap<string, string>;
  exactUsesOf(path: string): readonly StoredUse[];
  /** The covered files that use a definition of these files. */
  exactUsersOf(paths: readonly string[]): readonly string[];
};

export const exactUseStore = (db: Db): ExactUseStore => ({
  setExactFiles: (files) => {
    db.run("delete from exact_uses");
    db.run("delete from exact_files");
    db.runAll(
      "insert into exact_files(path, content_hash) values (?1, ?2)",
      files.map(({ path, contentHash }) => [path, contentHash]),
    );
    db.runAll(
      "insert or ignore into exact_uses(path, caller, name, callee_path, callee, kind) values (?1, ?2, ?3, ?4, ?5, ?6)",
      rowsOf(files),
    );
  },
  exactFiles: () =>
    new Map(
      db
        .all<{ path: string; hash: string }>("select path, content_hash as hash from exact_files order by path")
        .map(({ path, hash }) => [path, hash]),
    ),
  exactUsersOf: (paths) =>
    db
      .all<{ path: string }>(`select distinct path from exact_uses where callee_path ${IN_LIST}`, list(paths))
      .map(({ path }) => path),
  exactUsesOf: (path) =>
    db
      .all<{ caller: number; name: string; calleePath: string; callee: string; kind: string }>(
        `select caller, name, callee_path as calleePath, callee, kind from exact_uses where path = ?1
         order by caller, name, callee_path, callee, kind`,
        path,
      )
      .map(({ caller, name, calleePath, callee, kind }) => ({
        caller,
        name,
        callee: calleePath === "" ? null : { path: calleePath, qualifiedName: callee },
        kind,
      })),
});

function* rowsOf(files: readonly StoredExactFile[]): Generator<readonly (string | number)[]> {
  for (const { path, uses } of files)
    for (const { caller, name, callee, kind } of uses)
      yield [path, caller, name, callee?.path ?? "", callee?.qualifiedName ?? "", kind];
}
