/**
 * Brings a database to the newest schema: numbered forward steps, one transaction each.
 *
 * Invariants: `user_version` is the number of steps taken and changes in the step's own transaction, so a
 * killed migration leaves a whole older version; two processes that migrate at once each see a step once.
 * Not here: refusing newer files (`open.ts`), the SQL of the steps.
 */
import type { Db, Schema } from "./open.ts";

/** Takes the missing steps of `schema` and marks the file as ours. */
export function migrate(db: Db, schema: Schema): void {
  while (versionOf(db) < schema.migrations.length) {
    db.transaction(() => {
      // Read again under the write lock: another process may have taken this step meanwhile.
      const version = versionOf(db);
      const step = schema.migrations[version];
      if (step === undefined) return;
      db.script(step);
      db.script(`pragma application_id = ${schema.applicationId}; pragma user_version = ${version + 1}`);
    });
  }
}

const versionOf = (db: Db): number => db.get<{ user_version: number }>("pragma user_version")?.user_version ?? 0;
