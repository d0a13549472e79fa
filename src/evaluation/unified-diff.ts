/**
 * Which lines of the old files a diff touches: reads what `git diff --unified=0 --no-renames --no-ext-diff --no-color`
 * prints. Pure. Binary files and changes of mode have no hunks and are files without lines.
 */

export type OldLines = {
  /** From 1, both inclusive; of an insertion, the line after which text was put in (0: before the first). */
  readonly start: number;
  readonly end: number;
  readonly isInsertion: boolean;
};

export type ChangedFile = {
  readonly path: string;
  /** Whether the file is there before the change. */
  readonly isOld: boolean;
  readonly lines: readonly OldLines[];
};

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The changed files, in the diff's order. A name that cannot be read is left out with its hunks. */
export function changedFiles(diff: string): readonly ChangedFile[] {
  return diff
    .split(/(?<![^\n])(?=diff --git )/)
    .filter((part) => part.startsWith("diff --git "))
    .flatMap((part) => changedFile(part.split("\n")) ?? []);
}

function changedFile(lines: readonly string[]): ChangedFile | null {
  const firstHunk = lines.findIndex((line) => line.startsWith("@@ "));
  const head = firstHunk < 0 ? lines : lines.slice(0, firstHunk);
  const isNew = head.some((line) => line.startsWith("new file mode "));
  const path = nameAfter(head, isNew ? "+++ " : "--- ") ?? sameName(head[0] ?? "");
  if (path === null) return null;
  return { path, isOld: !isNew, lines: isNew ? [] : hunks(firstHunk < 0 ? [] : lines.slice(firstHunk)) };
}

/** Steps over each hunk's text by its counts, since a line of it may look like a hunk's head. */
function hunks(lines: readonly string[]): readonly OldLines[] {
  const found: OldLines[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [matched, start, removed = "1", , added = "1"] = HUNK.exec(lines[at] ?? "") ?? [];
    if (matched === undefined) continue;
    const first = Number(start);
    const count = Number(removed);
    found.push({ start: first, end: first + Math.max(count, 1) - 1, isInsertion: count === 0 });
    at += count + Number(added);
  }
  return found;
}

/** The name in `--- a/name` or `+++ b/name`; git puts a tab behind a name with a space. */
function nameAfter(head: readonly string[], marker: string): string | null {
  const line = head.find((candidate) => candidate.startsWith(marker));
  return line === undefined ? null : withoutSide(unquoted(line.slice(marker.length).replace(/\t$/, "")));
}

/** The name in `diff --git a/name b/name`, where no hunk tells it: both halves are the same. */
function sameName(line: string): string | null {
  const names = line.slice("diff --git ".length);
  return withoutSide(unquoted(names.slice(0, (names.length - 1) / 2)));
}

const withoutSide = (name: string): string | null => (/^[ab]\/./.test(name) ? name.slice(2) : null);

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** A name in quotes is written as in C, bytes that are not ASCII as three octal digits. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  for (const [part, octal, letter] of name.slice(1, -1).matchAll(/\\(?:([0-7]{3})|(.))|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
