/** One changed file of a unified diff: its header, and its hunks unless it is binary or too large. */
import { type Hunk, unifiedHunks } from "./unified-hunks.ts";

/** A file's text, or why there is none. "missing": the clone lacks it. */
export type Content = { readonly text: string } | { readonly unread: Unread };
type Unread = "binary" | "too large" | "missing";

type Version = { readonly path: string; readonly mode: string };

/** `before` is null for a new file, `after` for a deleted one; their paths differ for a renamed one. */
export type FilePatch = {
  readonly before: Version | null;
  readonly after: Version | null;
  /** Why lines cannot be compared; null when they were. */
  readonly unread: Unread | null;
  /** How line ends changed; null when they did not. */
  readonly lineEnds: string | null;
  readonly hunks: readonly Hunk[];
};

type VersionWithContent = Version & { readonly content: Content };

/** `hide` replaces secrets in a text and keeps its lines. */
export function filePatch(
  before: VersionWithContent | null,
  after: VersionWithContent | null,
  hide: (text: string) => string,
): FilePatch {
  const [old, now] = [before?.content ?? NO_CONTENT, after?.content ?? NO_CONTENT];
  const sides = { before: versionOf(before), after: versionOf(after) };
  if ("unread" in old) return { ...sides, unread: old.unread, lineEnds: null, hunks: [] };
  if ("unread" in now) return { ...sides, unread: now.unread, lineEnds: null, hunks: [] };
  return {
    ...sides,
    unread: null,
    lineEnds: before === null || after === null ? null : lineEndChange(old.text, now.text),
    hunks: unifiedHunks(old.text, now.text, { before: hide(old.text), after: hide(now.text) }),
  };
}

const NO_CONTENT: Content = { text: "" };

const versionOf = (version: Version | null): Version | null =>
  version === null ? null : { path: version.path, mode: version.mode };

/** Whether it says nothing: not even a mode, a name or a line end differs. */
export const isEmptyPatch = ({ before, after, unread, lineEnds, hunks }: FilePatch): boolean =>
  hunks.length === 0 &&
  unread === null &&
  lineEnds === null &&
  before !== null &&
  before.mode === after?.mode &&
  before.path === after.path;

function lineEndChange(before: string, after: string): string | null {
  const [old, now] = [lineEndsIn(before), lineEndsIn(after)];
  return old === now || old === null || now === null ? null : `${old} → ${now}`;
}

function lineEndsIn(text: string): "LF" | "CRLF" | "mixed" | null {
  const ends = text.split("\n").length - 1;
  if (ends === 0) return null;
  const pairs = text.split("\r\n").length - 1;
  return pairs === 0 ? "LF" : pairs === ends ? "CRLF" : "mixed";
}

/** The lines of a patch above its hunks, as git prints them. */
export function patchHeader({ before, after, unread, lineEnds, hunks }: FilePatch): readonly string[] {
  const [old, now] = [quotedPath(`a/${(before ?? after)?.path}`), quotedPath(`b/${(after ?? before)?.path}`)];
  const [from, to] = [before === null ? "/dev/null" : old, after === null ? "/dev/null" : now];
  const isBoth = before !== null && after !== null;
  return [
    `diff --git ${old} ${now}`,
    ...(isBoth && before.mode !== after.mode ? [`old mode ${before.mode}`, `new mode ${after.mode}`] : []),
    ...(before === null && after !== null ? [`new file mode ${after.mode}`] : []),
    ...(after === null && before !== null ? [`deleted file mode ${before.mode}`] : []),
    ...(isBoth && before.path !== after.path
      ? [`rename from ${quotedPath(before.path)}`, `rename to ${quotedPath(after.path)}`]
      : []),
    ...(unread === "binary" ? [`Binary files ${from} and ${to} differ`] : []),
    ...(unread === "too large" ? ["⋮ too large to compare line by line"] : []),
    ...(unread === "missing" ? ["⋮ this clone lacks the earlier content"] : []),
    ...(lineEnds === null ? [] : [`⋮ line ends: ${lineEnds}`]),
    ...(hunks.length === 0 ? [] : [`--- ${from}`, `+++ ${to}`]),
  ];
}

/** `@@ -1,3 +1,4 @@ def f():`; a count of 1 is left out. */
export function hunkHeader({ oldStart, oldLines, newStart, newLines, heading }: Hunk): string {
  const range = (start: number, lines: number): string => (lines === 1 ? `${start}` : `${start},${lines}`);
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@${heading === "" ? "" : ` ${heading}`}`;
}

/** The whole patch, as git prints it. */
export const patchText = (patch: FilePatch): string =>
  [...patchHeader(patch), ...patch.hunks.flatMap((hunk) => [hunkHeader(hunk), ...hunk.lines])].join("\n");

/** A name with characters that would end the line or the name is quoted as in C. */
export const quotedPath = (path: string): string =>
  /["\\\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? JSON.stringify(path) : path;
