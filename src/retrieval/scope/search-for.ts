/**
 * Decides what to search for once the names in a task are looked up.
 *
 * The words of a path that leads to a file are not searched for. A path that only the repository can tell from a word (`README`)
 * joins the hints. A short task that names a file and has no other word of the code ("typo in README") is about that file alone,
 * unless too many files have the name ("explain a pattern of hundreds"): then the words of the name are all that there is to search for.
 */
import type { FileQueries, FileRow } from "../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../task/query.ts";
import { isShort, searchedTask } from "../../task/searched-task.ts";
import { type Anchor, namesTooMany } from "../model/anchor.ts";
import { hasWordOfCode } from "./vague-task.ts";

/** The task and the anchors to search for. */
export function searchFor(
  task: TaskQuery,
  anchors: readonly Anchor[],
  kb: Pick<FileQueries, "termStats">,
  files: readonly FileRow[],
): { readonly task: TaskQuery; readonly anchors: readonly Anchor[] } {
  const named = anchors.filter((anchor) => anchor.files.length > 0);
  const paths = named.flatMap(({ kind, text }) => (kind === "path" ? [text] : []));
  const names = named.filter(({ kind, codeLike }) => kind !== "path" && (kind !== "definition" || codeLike));
  const namesSymbol = names.some(({ kind }) => kind === "definition" || kind === "qualified");
  const hinted = new Set(task.fileHints.map(({ text }) => text));
  const found = named.flatMap(({ kind, text, section, codeLike }) =>
    kind === "path" && !hinted.has(text) ? [{ text, section, codeLike }] : [],
  );
  const isNamed = paths.length > 0 || namesSymbol;
  const fileHints = [...task.fileHints, ...found];
  const searched = { ...searchedTask(task, { paths, isNamed }), fileHints };
  if (!isShort(task) || paths.length === 0 || names.length > 0 || hasWordOfCode(searched, kb, files))
    return { task: searched, anchors };
  if (named.every((anchor) => anchor.kind !== "path" || namesTooMany(anchor)))
    return { task: { ...searchedTask(task, { paths: [], isNamed }), fileHints }, anchors };
  // What is left are functions called like words of the order ("update README").
  const withoutWords = anchors.filter(({ kind }) => kind !== "definition");
  return { task: { ...searched, keywords: [], sections: [] }, anchors: withoutWords };
}
