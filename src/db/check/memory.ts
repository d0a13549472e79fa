/**
 * Checks the memory store: every row is valid, and full-text search knows exactly these rows.
 *
 * Nothing can rebuild this file, so the suggested command moves it aside for the user to decide.
 */
import { type Checked, problemWords } from "../../memory/entry.ts";
import { AXES } from "../../memory/vocabulary.ts";
import { shellWord } from "../../text/shell-word.ts";
import {
  type ExperienceRow,
  type MemoryRow,
  parseExperience,
  parseMemory,
  parseValue,
  type ValueRow,
} from "../memory/rows.ts";
import { AXIS_SEARCH, HAS, MEMORY_SCHEMA } from "../memory/schema.ts";
import type { Db } from "../sqlite/db.ts";
import { type BadRows, badRows, type Check, checkDatabase, type OnCheck, type Remedy } from "./database.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** Checks the memory store at `path`; a missing file has no diagnostics. */
export function checkMemory(path: string, onCheck: OnCheck): readonly Diagnostic[] {
  const remedy: Remedy = {
    code: "memory-damaged",
    mend: `mv ${shellWord(path)} ${shellWord(`${path}.damaged`)}`,
    cutOff: "another cra is writing it, or was interrupted; the next command that uses it rolls back",
  };
  return checkDatabase(path, MEMORY_SCHEMA, [rows(remedy), badRows("search", remedy, FULL_TEXT)], remedy, onCheck);
}

const rows = (remedy: Remedy): Check => ({
  name: "rows",
  *run(db) {
    yield* firstBad(remedy, db, "memories", parseMemory);
    yield* firstBad(remedy, db, "experiences", parseExperience);
    yield* firstBad(remedy, db, "experience_values", parseValue);
  },
});

function* firstBad<Row extends MemoryRow | ExperienceRow | ValueRow>(
  { code, mend }: Remedy,
  db: Db,
  table: string,
  read: (row: Row) => Checked<unknown>,
): Generator<Omit<Diagnostic, "where">> {
  for (const row of db.each<Row>(`select * from ${table} order by number`)) {
    const result = read(row);
    if (result.ok) continue;
    const what = `${String(row.id)} of ${table} is not a row that cra writes: ${problemWords(result.problem)}`;
    yield { severity: "error", code, what, mend };
    return;
  }
}

/** Each full-text table and the rows it indexes. */
const FULL_TEXT: readonly BadRows[] = [
  ["memory_search", "memories", "true"] as const,
  ["value_search", "experience_values", "true"] as const,
  ...AXES.map((axis) => [AXIS_SEARCH[axis], "experiences", HAS[axis]] as const),
].flatMap(([search, table, has]): readonly BadRows[] => [
  [
    `rows of ${table} missing from ${search}`,
    `select id as at from ${table} where ${has} and number not in (select rowid from ${search})`,
  ],
  [
    `rows of ${search} without a source row`,
    `select rowid as at from ${search} except select number from ${table} where ${has}`,
  ],
]);
