/**
 * The diff of a change as it is shown: only cra's own lines and the user's Markdown are shown as they are.
 *
 * Settings of agents have keys and tokens next to what is changed, so of the user's own lines only the names are shown.
 */
import { unifiedHunks } from "../text/diff/unified-hunks.ts";

const HIDDEN = "…";

/** A unified diff. `before` null: the file is new; `after` null: it is removed. */
export function shownDiff(path: string, before: string | null, after: string | null, own: readonly string[]): string {
  const [old, now] = [before ?? "", after ?? ""];
  const isOpen = /\.(?:md|goosehints)$/.test(path);
  const shown = isOpen ? undefined : { before: hidden(old, own, path), after: hidden(now, own, path) };
  const hunks = unifiedHunks(old, now, shown);
  const names = [`--- ${before === null ? "/dev/null" : path}`, `+++ ${after === null ? "/dev/null" : path}`];
  const bodies = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
  return `${[...names, ...bodies].join("\n")}\n`;
}

function hidden(text: string, own: readonly string[], path: string): string {
  const ours = new Set(own.flatMap((part) => part.split("\n").map((line) => line.trim())));
  const hide = path.endsWith("json") || path.endsWith("jsonc") ? hideJson : hideOther;
  return text.replace(/[^\r\n]+/g, (line) => (ours.has(line.trim()) ? line : hide(line)));
}

/** All strings but keys, and comments. */
function hideJson(line: string): string {
  const shown: string[] = [];
  for (let at = 0; at < line.length; ) {
    const character = line[at] ?? "";
    if (character === "/" && (line[at + 1] === "/" || line[at + 1] === "*")) return `${shown.join("")}${HIDDEN}`;
    const end = character === '"' ? stringEnd(line, at) : at + 1;
    const isValue = character === '"' && !/^\s*:/.test(line.slice(end, end + 20));
    shown.push(isValue ? `"${HIDDEN}"` : line.slice(at, end));
    at = end;
  }
  return shown.join("");
}

/** Behind the string that begins at a position. */
function stringEnd(line: string, from: number): number {
  let at = from + 1;
  while (at < line.length && line[at] !== '"') at += line[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, line.length);
}

/** All but the headers of TOML and the keys of YAML. */
function hideOther(line: string): string {
  if (/^\s*\[[^\]=]*\]\s*$/.test(line)) return line;
  const key = /^\s*[\w-]{1,40}:(?=\s|$)/.exec(line)?.[0];
  if (key === undefined) return HIDDEN;
  return key.length === line.trimEnd().length ? line : `${key} ${HIDDEN}`;
}
