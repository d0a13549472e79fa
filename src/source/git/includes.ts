/**
 * Reads git's configuration files with the files that they include in place, as git-config(1) says: those of `include.path`, and of
 * `includeIf` for a git folder (`gitdir:`, `gitdir/i:`).
 *
 * Conditions of a branch (`onbranch:`) or of a remote (`hasconfig:`) are not met, and `~name/` is not known. Where git refuses to go on, as
 * in a cycle, the rest is read.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { Variables } from "../../config/variables.ts";
import { compileWildcard } from "../files/wildcard.ts";
import { CONFIG_BYTES_MAX, type ConfigEntry, gitConfigText, parseGitConfig } from "./config.ts";

/** A file of git includes others, these again others, up to this depth. */
const DEPTH_MAX = 10;
/** What the files that others include may be together. */
const FILES_MAX = 100;
const BYTES_MAX = 2 * CONFIG_BYTES_MAX;
/** The characters of all conditions together. Matching takes time for each. */
const CONDITION_CHARS_MAX = 100_000;

/** The settings of these files, in order. `gitFolder` is the real path of the work tree's git folder. */
export function readWithIncludes(
  paths: readonly string[],
  gitFolder: string,
  variables: Variables | null,
): readonly ConfigEntry[] {
  const left = { files: FILES_MAX, bytes: BYTES_MAX, chars: CONDITION_CHARS_MAX };
  const folders = namesOf(gitFolder, variables);

  const isMet = (condition: string, path: string): boolean => {
    left.chars -= condition.length;
    return left.chars >= 0 && isForFolder(condition, path, folders, variables);
  };
  const included = ({ key, value }: ConfigEntry, path: string): string | null => {
    const condition = /^includeif\.(.*)\.path$/s.exec(key)?.[1];
    if (value === null || (key !== "include.path" && (condition === undefined || !isMet(condition, path)))) return null;
    return expandedPath(value, dirname(path), variables);
  };
  /** `from` are the files that include this one, each the one after it. */
  const settingsOf = (path: string, bytesMax: number, from: readonly string[]): readonly ConfigEntry[] => {
    const text = gitConfigText(path, bytesMax) ?? "";
    if (from.length > 0) left.bytes -= text.length;
    const around = [...from, path];
    return parseGitConfig(text).flatMap((entry) => {
      if (!/^include(?:if\..*)?\.path$/s.test(entry.key)) return [entry];
      const file = around.length > DEPTH_MAX ? null : included(entry, path);
      if (file === null || around.includes(file) || left.files <= 0) return [];
      left.files -= 1;
      return settingsOf(file, Math.min(CONFIG_BYTES_MAX, left.bytes), around);
    });
  };
  return paths.flatMap((path) => settingsOf(path, CONFIG_BYTES_MAX, []));
}

/** The paths of a git folder that a condition may name: the real one, and for the current folder the one that was entered, through links. */
function namesOf(gitFolder: string, variables: Variables | null): readonly string[] {
  const entered = variables?.PWD;
  if (entered === undefined || !isAbsolute(entered) || basename(gitFolder) !== ".git") return [gitFolder];
  return realPath(entered) === dirname(gitFolder) ? [gitFolder, join(entered, ".git")] : [gitFolder];
}

/** Whether the condition of an `includeIf` in the file at `path` is about a git folder and names this one. */
function isForFolder(
  condition: string,
  path: string,
  folders: readonly string[],
  variables: Variables | null,
): boolean {
  const [, kind, named = ""] = /^(gitdir|gitdir\/i):(.*)$/s.exec(condition) ?? [];
  if (kind === undefined) return false;
  const { literal, pattern } = patternOf(named, path, variables);
  const folds = kind === "gitdir/i";
  const form = (text: string): string => (folds ? lower(asBytes(text)) : asBytes(text));
  // Two stars within a name match as one, which the reader of ignore files takes otherwise behind a literal start.
  const written = asBytes(pattern).replace(/^[^*?[\\]/, (first) => `\\${folds ? lower(first) : first}`);
  const wildcard = compileWildcard(written, folds);
  return folders
    .map(form)
    .some((folder) => folder.startsWith(form(literal)) && wildcard.matches(folder.slice(asBytes(literal).length)));
}

/** The pattern of a condition, behind a part that is compared as it is. */
function patternOf(named: string, path: string, variables: Variables | null) {
  const whole = named.endsWith("/") ? `${named}**` : named;
  if (named.startsWith("./")) return { literal: join(dirname(realPath(path) ?? path), "/"), pattern: whole.slice(2) };
  const home = variables?.HOME;
  if (home && (named === "~" || named.startsWith("~/")))
    return { literal: "", pattern: `${realPath(home) ?? home}${whole.slice(1)}` };
  return { literal: "", pattern: isAbsolute(named) ? whole : named === "" ? "**/**" : `**/${whole}` };
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** A text as patterns are matched: a character for each byte. */
const asBytes = (text: string): string => Buffer.from(text).toString("latin1");
const lower = (bytes: string): string => bytes.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Expands a path from git's settings; null when it cannot be resolved. */
export function expandedPath(path: string, base: string, variables: Variables | null): string | null {
  if (path.startsWith("~/")) return variables?.HOME ? join(variables.HOME, path.slice(2)) : null;
  if (path === "" || path.startsWith("~") || path.startsWith("%(prefix)/")) return null;
  return isAbsolute(path) ? path : resolve(base, path);
}
