/**
 * Parses git's configuration files, to read a repository without git: settings and the public URL of its remote.
 *
 * Follows the syntax of git-config(1). A malformed file counts up to its first error. `includes.ts` reads what they include.
 */
import { lineEnd } from "../../text/lines.ts";
import { readGivenFile } from "../files/read-file.ts";

/** `key` is `section.name` or `section.subsection.name`, lower case except the subsection. A null value is a name without `=`. */
export type ConfigEntry = { readonly key: string; readonly value: string | null };

export const CONFIG_BYTES_MAX = 1024 * 1024;

/** The settings of a file, in order. If a key repeats, the last one usually counts. */
export const readGitConfig = (path: string): readonly ConfigEntry[] =>
  parseGitConfig(gitConfigText(path, CONFIG_BYTES_MAX) ?? "");

/** The text of a configuration file; null where there is none, or a larger one. */
export function gitConfigText(path: string, bytesMax: number): string | null {
  const read = readGivenFile(path, bytesMax);
  return read.kind === "bytes" ? new TextDecoder().decode(read.bytes) : null;
}

/** The value of the last entry with this key; undefined without one. */
export const lastValue = (entries: readonly ConfigEntry[], key: string): string | null | undefined =>
  entries.findLast((entry) => entry.key === key)?.value;

/** Whether a boolean setting is on; a name without a value is. */
export const isOn = (value: string | null | undefined): boolean =>
  value !== undefined && (value === null || /^(true|yes|on|[+-]?0*[1-9]\d*)$/i.test(value));

/** The URLs of remotes, in order. */
export const remotesIn = (
  entries: readonly ConfigEntry[],
): readonly { readonly name: string; readonly url: string }[] =>
  entries.flatMap(({ key, value }) => {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    return name === undefined || value === null ? [] : [{ name, url: value }];
  });

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

/** A value up to the end of its line, which a trailing backslash continues; null when malformed. */
function parseValue(source: string, start: number): { readonly text: string; readonly end: number } | null {
  let text = "";
  // White space counts only between other characters or in quotes.
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

function sticky(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/**
 * The URL without user, password, query and fragment; ssh URLs keep the user, a login name. Null for local paths, which would
 * reveal folder names.
 */
export function publicRemoteUrl(url: string): string | null {
  const withScheme = /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#]*)@)?([^/?#@]+)([^?#]*)/i.exec(url.trim());
  if (withScheme !== null) {
    const [, scheme = "", user, host = "", path = ""] = withScheme;
    if (scheme.toLowerCase() === "file") return null;
    const login = /(^|\+)ssh(\+|$)/i.test(scheme) ? user?.split(":", 1)[0] : undefined;
    return `${scheme}://${login ? `${login}@` : ""}${host}${path}`;
  }
  const scpLike = /^(?:([^/@:]+)@)?([^/@:]{2,}):(?!\/\/)(.+)$/.exec(url.trim());
  if (scpLike === null) return null;
  const [, user, host = "", path = ""] = scpLike;
  return `${user === undefined ? "" : `${user}@`}${host}:${path}`;
}

/** The public URL of `origin`, or else of the first remote by name. */
export function chooseRemoteUrl(remotes: readonly { readonly name: string; readonly url: string }[]): string | null {
  const chosen =
    remotes.find((remote) => remote.name === "origin") ??
    remotes.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))[0];
  return chosen === undefined ? null : publicRemoteUrl(chosen.url);
}
