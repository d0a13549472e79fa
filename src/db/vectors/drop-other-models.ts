/** Deletes the vectors of other weights that came under a model's name. */
import type { Db } from "../sqlite/db.ts";

/**
 * Deletes rows of a table of vectors that are stored under a model's name with no digest or another one (`llm/embedder.ts`). Nothing
 * where the present digest is unknown.
 */
export function dropOtherModels(db: Db, table: "vectors" | "blocks", name: string, storedAs: string): void {
  if (storedAs === name) return;
  db.run(`delete from ${table} where model = ?`, name);
  // "A" is the character after "@".
  db.run(`delete from ${table} where model > ?1 and model < ?2 and model <> ?3`, `${name}@`, `${name}A`, storedAs);
}
