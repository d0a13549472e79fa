/**
 * Finds paths that splitting a text into words cannot find: with blanks, `=`, quotes, brackets, or unspaced scripts.
 *
 * Searches the task once for whole paths of the repository (`a b/my file.py`, `x=1/y.ts`).
 */
import type { FileRow } from "../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../task/query.ts";
import { UNSPACED } from "../../text/terms/scripts.ts";
import type { Anchor } from "../model/anchor.ts";

/** Any character that can separate words, or whose meaning depends on its position. */
const ODD = /[^\w./@+~-]/;
/** Characters at the end of a path that the lookup uses. Shorter paths are ignored. */
const TAIL = 5;
/** What may precede a path: nothing that is part of a word or path, or a parent folder. */
const BEFORE = /(?:^|[^\p{L}\p{N}_.~\\/-])(?:(?:\.{0,2}|~|[A-Za-z]:)\/(?:[^\s"'`]{1,200}\/)?)?$/u;
const BEFORE_CHARS_MAX = 210;
const ENDS_UNSPACED = new RegExp(`[${UNSPACED}]$`, "u");

/** One anchor for each path, with the section of its first mention. `files` are in order of path. */
export function verbatimPathAnchors(task: TaskQuery, files: readonly FileRow[]): readonly Anchor[] {
  const texts = task.sections.map(({ text }) => text.replaceAll("\\", "/"));
  const canEnd = endsIn(texts);
  const odd = files.filter(
    ({ path }) => path.length >= TAIL && canEnd(path, path.length) && /[/.]/.test(path) && ODD.test(path),
  );
  if (odd.length === 0) return [];
  const byTail = Map.groupBy(odd, ({ path }) => path.slice(-TAIL));
  const listed = new Set(task.fileHints.map(({ text }) => text));
  const found = new Map<number, Anchor>();
  for (const [at, section] of task.sections.entries()) {
    const text = texts[at] ?? "";
    for (let end = TAIL; end <= text.length; end += 1) {
      for (const { id, path } of byTail.get(text.slice(end - TAIL, end)) ?? []) {
        if (found.has(id) || listed.has(path) || !standsAlone(text, path, end)) continue;
        const anchor = { kind: "path", text: path, section: section.kind, codeLike: true } as const;
        found.set(id, { ...anchor, files: [id], symbols: [], value: 1 });
      }
    }
  }
  return [...found.values()];
}

/** Whether the three characters of a path before `end` can be in one of the texts: few paths end like something in a task. */
function endsIn(texts: readonly string[]): (path: string, end: number) => boolean {
  const known = new Uint8Array(1 << 15);
  const keyOf = (text: string, end: number): number =>
    ((text.charCodeAt(end - 3) & 31) << 10) | ((text.charCodeAt(end - 2) & 31) << 5) | (text.charCodeAt(end - 1) & 31);
  for (const text of texts) for (let end = 3; end <= text.length; end += 1) known[keyOf(text, end)] = 1;
  return (path, end) => known[keyOf(path, end)] === 1;
}

/** Whether a path that ends at `end` in a text is complete, without further characters on either side. */
function standsAlone(text: string, path: string, end: number): boolean {
  const start = end - path.length;
  if (start < 0 || !text.startsWith(path, start)) return false;
  const before = text.slice(Math.max(0, start - BEFORE_CHARS_MAX), start);
  const after = text.slice(end, end + 2);
  if (/^[A-Za-z0-9_]|^[./-]\w/.test(after) || (/[^\x20-\x7e]$/.test(path) && /^\p{L}/u.test(after))) return false;
  return BEFORE.test(before) || (ENDS_UNSPACED.test(before) && /^[\x20-\x7e]/.test(path));
}
