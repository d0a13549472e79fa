/**
 * The tests that stand in files of the program itself: what is in a module called `tests` or `test`, as Rust has it.
 */
import type { Db } from "../sqlite/db.ts";

/** Ids of all that is in such modules, and of the modules. */
export const inlineTests = (db: Db): ReadonlySet<number> =>
  new Set(
    db
      .all<{ id: number }>(
        `with recursive inside(id) as (
           select id from symbols where name in ('tests', 'test') and kind = 'namespace'
           union all select s.id from symbols s join inside on s.parent_id = inside.id)
         select id from inside`,
      )
      .map(({ id }) => id),
  );
