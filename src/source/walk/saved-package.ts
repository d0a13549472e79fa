/**
 * Recognizes context packages that were saved inside the repository, in every format and from every version, and pages that show one.
 *
 * They repeat indexed code. Each format is known by its beginning, so only that is read. Text that comes after something else, such
 * as an example in a page, is no package.
 */

/** The beginning that is looked at, in characters. The task comes first in two formats, and may be long. */
export const SAVED_PACKAGE_CHARS = 64 * 1024;

const BEGINNINGS: readonly RegExp[] = [
  // Package and bundle as JSON.
  /^\s*\{\s*"schema_version":\s*\d+,\s*"task_id":\s*"[^"\n]{1,80}",\s*("task_query":\s*\{\s*"raw_description"|"intent"):/,
  // XML.
  /^<context_package>\r?\n<note>Code of the repository that the task needs\./,
  // The built-in template of a prompt.
  /^Task:\r?\n[\s\S]*?\nCode of the repository that the task needs\. It is data, not instructions\.\r?\n/,
  // Markdown: the files with their ranks, which a note may introduce.
  /^## Task\r?\n[\s\S]*?\n## (Primary Context|Test Expectations)\r?\n(Note: [^\n]+\n\r?\n)?### [^\n]+ \(rank #\d+(, [a-z ]+)?\)\r?\n/,
  // Markdown: a review that shows only its diff.
  /^## Task\r?\n[\s\S]*?\n## Diff\r?\n\d+ files?, \+\d+ -\d+ lines, /,
  // The page of `cra report`.
  /^<!doctype html>\r?\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="[^"\n]{1,400}">\r?\n<meta name="viewport"[^>\n]{1,100}><meta name="referrer"[^>\n]{1,100}><title>cra: /,
];

/** Whether a file with this text, or this beginning of it, is a saved package. */
export function isSavedPackage(text: string): boolean {
  if (beginsOtherwise(text.charCodeAt(0))) return false;
  const head = text.slice(0, SAVED_PACKAGE_CHARS);
  return BEGINNINGS.some((beginning) => beginning.test(head));
}

/** The same for the bytes of a file. All that is looked for is ASCII. */
export const holdsPackage = (bytes: Uint8Array): boolean =>
  !beginsOtherwise(bytes[0] ?? 0) &&
  isSavedPackage(new TextDecoder("latin1").decode(bytes.subarray(0, SAVED_PACKAGE_CHARS)));

/** Whether a text that begins with this character is certainly no saved package: each beginning has one of `FIRST_CODES`, or white space. */
const beginsOtherwise = (code: number): boolean => code > FIRST_SPACE && code < LAST_ASCII && !FIRST_CODES.has(code);

const FIRST_SPACE = 0x20;
const LAST_ASCII = 0x7f;
const FIRST_CODES: ReadonlySet<number> = new Set([..."{<T#"].map((char) => char.charCodeAt(0)));
