/**
 * Reads git's configuration files, as text to values: what is needed to read a repository without git.
 *
 * Follows the syntax of git-config(1). Invariants: nothing in a configuration acts, it is looked at only; a file
 * that is malformed counts up to where it is. Included files are not read.
 * Not here: what the settings mean.
 */
import { readGivenFile } from "../files/read-file.ts";

/** `key` is `section.name` or `section.subsection.name`, lower case but for the subsection; null: a name alone. */
export type ConfigEntry = { readonly key: string; readonly value: string | null };

const CONFIG_BYTES_MAX = 1024 * 1024;

/** The settings of a file, in order: of several with one key the last counts, except where git says otherwise. */
export function readGitConfig(path: string): readonly ConfigEntry[] {
  const read = readGivenFile(path, CONFIG_BYTES_MAX);
  return read.kind === "bytes" ? parseGitConfig(new TextDecoder().decode(read.bytes)) : [];
}

/** The value of the last entry with this key; undefined where there is none. */
export const lastValue = (entries: readonly ConfigEntry[], key: string): string | null | undefined =>
  entries.findLast((entry) => entry.key === key)?.value;

/** Whether a switch is on, as git reads it: a name alone is on. */
export const isOn = (value: string | null | undefined): boolean =>
  value !== undefined && (value === null || /^(true|yes|on|[+-]?0*[1-9]\d*)$/i.test(value));

/** The addresses of remotes, in order. */
export const remotesIn = (
  entries: readonly ConfigEntry[],
): readonly { readonly name: string; readonly url: string }[] =>
  entries.flatMap(({ key, value }) => {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    return name === undefined || value === null ? [] : [{ name, url: value }];
  });

/** Reads one file's text. */
export function parseGitConfig(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  const source = text.replaceAll("\r\n", "\n");
  let section = "";
  let at = 0;
  while (at < source.length) {
    const character = source[at] ?? "";
    if (character === "#" || character === ";") at = lineEnd(source, at);
    else if (/\s/.test(character)) at++;
    else if (character === "[") {
      const header = sticky(/\[([A-Za-z0-9.-]*)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y, source, at);
      if (header === null) break;
      const [whole, name = "", subsection] = header;
      section = name.toLowerCase() + (subsection === undefined ? "" : `.${subsection.replaceAll(/\\(.)/g, "$1")}`);
      at += whole.length;
    } else {
      const name = sticky(/[A-Za-z][A-Za-z0-9-]*/y, source, at)?.[0];
      if (name === undefined || section === "") break;
      at += name.length;
      while (source[at] === " " || source[at] === "\t") at++;
      const key = `${section}.${name.toLowerCase()}`;
      if (source[at] === "=") {
        const value = parseValue(source, at + 1);
        if (value === null) break;
        entries.push({ key, value: value.text });
        at = value.end;
      } else if (at >= source.length || source[at] === "\n") entries.push({ key, value: null });
      else break;
    }
  }
  return entries;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
  ["\\", "\\"],
  ['"', '"'],
]);

/** A value up to the end of its line, which a backslash at its end continues; null when it is malformed. */
function parseValue(source: string, start: number): { readonly text: string; readonly end: number } | null {
  let text = "";
  // White space counts only before something else, or in quotes.
  let spaces = "";
  let isQuoted = false;
  for (let at = start; ; at++) {
    const character = source[at] ?? "\n";
    if (character === "\n") return isQuoted ? null : { text, end: at };
    if (!isQuoted && (character === " " || character === "\t")) {
      if (text !== "") spaces += character;
      continue;
    }
    if (!isQuoted && (character === "#" || character === ";")) return { text, end: lineEnd(source, at) };
    text += spaces;
    spaces = "";
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\") {
      const escaped = source[++at];
      if (escaped === "\n") continue;
      const meant = ESCAPES.get(escaped ?? "");
      if (meant === undefined) return null;
      text += meant;
    } else text += character;
  }
}

const lineEnd = (source: string, at: number): number => {
  const end = source.indexOf("\n", at);
  return end < 0 ? source.length : end;
};

function sticky(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
