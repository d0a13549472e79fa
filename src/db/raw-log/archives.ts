/**
 * Sessions that nobody works on any more, as the raw log keeps them: the bytes of the file as it was.
 *
 * Not here: making them and removing what they are copies of (`archive.ts`).
 */
import type { Db } from "../sqlite/open.ts";

/** `session` is a whole SQLite file; `createdAt` is an ISO time. */
export type ArchivedSession = { readonly taskId: string; readonly session: Uint8Array; readonly createdAt: string };

/** Keeps a session, unless it is kept already byte for byte. */
export function appendSessionArchive(db: Db, { taskId, session, createdAt }: ArchivedSession): void {
  db.run(
    `insert into session_archives(task_id, session, created_at) select ?1, ?2, ?3
     where not exists (select 1 from session_archives where task_id = ?1 and session = ?2)`,
    taskId,
    session,
    createdAt,
  );
}

/** The sessions that were kept, oldest first, one at a time. */
export const readArchives = (db: Db, taskId?: string): Iterable<ArchivedSession> =>
  db.each<ArchivedSession>(
    `select task_id as taskId, session, created_at as createdAt from session_archives
     where ?1 is null or task_id = ?1 order by id`,
    taskId ?? null,
  );
