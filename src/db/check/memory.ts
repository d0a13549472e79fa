/**
 * What must hold of what is remembered: every row is one that cra writes, and search knows each of them and no other.
 *
 * Nothing mends this file by itself, since nothing can make it anew: what is named moves it aside, by its user's hand.
 * Not here: SQLite's own checks (`database.ts`).
 */
import { type Checked, problemWords } from "../../memory/entry.ts";
import { AXES } from "../../memory/vocabulary.ts";
import { shellWord } from "../../text/shell-word.ts";
import { type ExperienceRow, experienceIn, type MemoryRow, memoryIn, type ValueRow, valueIn } from "../memory/rows.ts";
import { AXIS_SEARCH, HAS, MEMORY_SCHEMA } from "../memory/schema.ts";
import type { Db } from "../sqlite/db.ts";
import { type BadRows, badRows, type Check, checkDatabase, type OnCheck, type Remedy } from "./database.ts";
import type { Finding } from "./diagnostic.ts";

/** Looks at the memory at `path`; none where there is none. */
export function checkMemory(path: string, onCheck: OnCheck): readonly Finding[] {
  const remedy: Remedy = {
    code: "memory-damaged",
    mend: `mv ${shellWord(path)} ${shellWord(`${path}.damaged`)}`,
    cutOff: "another cra is writing it, or was cut off, which the next one to use it undoes",
  };
  return checkDatabase(path, MEMORY_SCHEMA, [rows(remedy), badRows("search", remedy, FULL_TEXT)], remedy, onCheck);
}

/** Each row as it is read. */
const rows = (remedy: Remedy): Check => ({
  name: "rows",
  *look(db) {
    yield* firstBad(remedy, db, "memories", memoryIn);
    yield* firstBad(remedy, db, "experiences", experienceIn);
    yield* firstBad(remedy, db, "experience_values", valueIn);
  },
});

function* firstBad<Row extends MemoryRow | ExperienceRow | ValueRow>(
  { code, mend }: Remedy,
  db: Db,
  table: string,
  read: (row: Row) => Checked<unknown>,
): Generator<Omit<Finding, "where">> {
  for (const row of db.each<Row>(`select * from ${table} order by number`)) {
    const result = read(row);
    if (result.ok) continue;
    const what = `${String(row.id)} of ${table} is none that cra writes: ${problemWords(result.problem)}`;
    yield { severity: "error", code, what, mend };
    return;
  }
}

/** Each full-text table with the rows that it describes. */
const FULL_TEXT: readonly BadRows[] = [
  ["memory_search", "memories", "true"] as const,
  ["value_search", "experience_values", "true"] as const,
  ...AXES.map((axis) => [AXIS_SEARCH[axis], "experiences", HAS[axis]] as const),
].flatMap(([search, table, has]): readonly BadRows[] => [
  [
    `rows of ${table} that ${search} does not know`,
    `select id as at from ${table} where ${has} and number not in (select rowid from ${search})`,
  ],
  [
    `rows of ${search} about nothing`,
    `select rowid as at from ${search} except select number from ${table} where ${has}`,
  ],
]);
