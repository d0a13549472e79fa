/**
 * Rows between files, definitions and commits that cra cannot have written: what is wrong, and a query for where.
 *
 * What an index says of one file follows from the file's content. These rows do not, so they are all that can be asked of them.
 */

const PATH = (id: string): string => `(select path from files where id = ${id})`;

export const IMPOSSIBLE_LINKS: readonly (readonly [what: string, sql: string])[] = [
  [
    "imports of an unknown kind",
    `select ${PATH("source_file_id")} as at from dependencies where kind not in ('import', 'type_ref')`,
  ],
  [
    "references with an impossible confidence",
    `select s.qualified_name as at from symbol_references r join symbols s on s.id = r.caller_id
     where not (r.confidence > 0 and r.confidence <= 1)`,
  ],
  [
    "exact references of an unknown kind",
    `select path as at from exact_uses
     where kind not in ('call', 'decorate', 'implement', 'inherit', 'type', 'use') or (callee_path = '') <> (callee = '')`,
  ],
  [
    "test links that do not lead from a test to a source file",
    `select t.path as at from test_sources l join files t on t.id = l.test_file_id join files s on s.id = l.source_file_id
     where t.is_test <> 1 or s.is_test <> 0 or l.by = '' or not (l.score > 0 and l.score <= 1)`,
  ],
  [
    "commits with impossible numbers",
    "select hash as at from commits where files_changed < 0 or insertions < 0 or deletions < 0",
  ],
  [
    "file pairs without a commit that changed both",
    `select ${PATH("p.a")} as at from co_changes p where p.a >= p.b or p.count < 1
       or not exists (select 1 from file_commits where file_id = p.a and commit_id = p.last_commit)
       or not exists (select 1 from file_commits where file_id = p.b and commit_id = p.last_commit)`,
  ],
];
