/**
 * Writes what linking found into the curated index: edges between files, between symbols, and from tests to sources.
 */
import type { Db, SqlValue } from "../../sqlite/db.ts";
import { IN_LIST, list } from "../../sqlite/in-list.ts";
import type { DependencyRow, ReferenceRow, TestSourceRow } from "../knowledge-base.ts";
import { readConfigNames, writeConfigNames } from "../meta.ts";
import { DEPENDENCY_KINDS, REFERENCE_KINDS } from "../schema.ts";
import { setRelation } from "./set-relation.ts";

/** Each set of rows is whole for the files given beside it; null means all files. Many rows are taken one at a time. */
export type LinkWriter = {
  /** `rows` are all dependencies of the files `sources`. */
  setDependencies(rows: Iterable<DependencyRow>, sources: readonly number[] | null): void;
  /** `rows` are all references from the files `callers`. */
  setReferences(rows: Iterable<ReferenceRow>, callers: readonly number[] | null): void;
  /** `rows` are all links of the files `tests`. */
  setTestSources(rows: Iterable<TestSourceRow>, tests: readonly number[] | null): void;
  /** Stores the names of the configuration files that import resolution looked for, existing or not. */
  setConfigNames(names: readonly string[]): void;
  /** Null when none are stored or readable: then everything is linked. */
  configNames(): readonly string[] | null;
};

export const linkWriter = (db: Db): LinkWriter => ({
  setDependencies: (rows, sources) =>
    setRelation(
      db,
      { table: "dependencies", key: ["source_file_id", "target_file_id", "kind_number"], rest: [] },
      mapped(rows, ({ source, target, kind }) => [source, target, DEPENDENCY_KINDS.indexOf(kind)]),
      among(`source_file_id ${IN_LIST}`, sources),
    ),
  setReferences: (rows, callers) =>
    setRelation(
      db,
      { table: "symbol_references", key: ["caller_id", "callee_id", "kind_number"], rest: ["percent"] },
      mapped(rows, ({ caller, callee, kind, confidence }) => [
        caller,
        callee,
        REFERENCE_KINDS.indexOf(kind),
        Math.round(100 * confidence),
      ]),
      among(`caller_id in (select id from symbols where file_id ${IN_LIST})`, callers),
    ),
  setTestSources: (rows, tests) =>
    setRelation(
      db,
      { table: "test_sources", key: ["test_file_id", "source_file_id"], rest: ["score", "by"] },
      mapped(rows, ({ test, source, score, by }) => [test, source, score, by]),
      among(`test_file_id ${IN_LIST}`, tests),
    ),
  setConfigNames: (names) => writeConfigNames(db, names),
  configNames: () => readConfigNames(db),
});

const among = (condition: string, fileIds: readonly number[] | null) =>
  fileIds === null ? null : { condition, value: list(fileIds) };

function* mapped<Row>(
  rows: Iterable<Row>,
  valuesOf: (row: Row) => readonly SqlValue[],
): Generator<readonly SqlValue[]> {
  for (const row of rows) yield valuesOf(row);
}
