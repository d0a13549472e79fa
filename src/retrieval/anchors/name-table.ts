/**
 * Finds files by their own names, and by the names of the folders that they represent.
 *
 * A table of 100,000 strings takes a tenth of a second to make. Here files are in chains by a number that is made of the letters of their
 * names, and names are compared only along the chain of the one that is asked for.
 */
import { onDemand } from "../../concurrency/on-demand.ts";
import type { FileRow } from "../../db/curated/knowledge-base.ts";
import { fileStem } from "../../text/terms/path-names.ts";

/** `base` is the part after the last slash, `at` the place in the list of files. */
export type Entry = { readonly id: number; readonly at: number; readonly path: string; readonly base: string };

/** Files that represent their folder, without extension. */
const FOLDER_FILES: readonly string[] = ["index", "__init__", "mod"];

/** A name without its case, the signs around it, and the difference between `-` and `_`. Most have nothing to replace, so this tests first. */
export function plain(text: string): string {
  const lower = text.toLowerCase();
  const bare = lower.startsWith("_") || lower.endsWith("_") ? lower.replace(/^_+|_+$/g, "") : lower;
  return bare.includes("-") ? bare.replaceAll("-", "_") : bare;
}

export function nameTable(files: readonly FileRow[]) {
  const chains = onDemand(() => nameChains(files));

  /** The files whose stem is this one as `plain` gives it, in order of place. */
  function like(wanted: string): readonly Entry[] {
    const found: Entry[] = [];
    for (const at of chains().of(wanted)) {
      const file = files[at];
      if (file === undefined) continue;
      const base = file.path.slice(file.path.lastIndexOf("/") + 1);
      if (plain(fileStem(base)) === wanted) found.push({ id: file.id, at, path: file.path, base });
    }
    return found;
  }

  const withStem = (stem: string): readonly Entry[] => like(plain(stem)).filter(({ base }) => fileStem(base) === stem);
  const ofFolders = onDemand(() => FOLDER_FILES.flatMap(withStem));
  const byFolder = onDemand(() => Map.groupBy(ofFolders(), ({ path, base }) => folderOf(path, base) ?? ""));
  const byFolderName = onDemand(() => Map.groupBy(ofFolders(), nameOf));
  return {
    withBase: (name: string): readonly Entry[] => like(plain(fileStem(name))).filter(({ base }) => base === name),
    withStem,
    /** The files that represent a folder of this name. */
    ofFolder: (name: string): readonly Entry[] => byFolder().get(name) ?? [],
    /** Those whose name, or that of the folder which they represent, is `name` as `plain` gives it. */
    named(name: string): readonly Entry[] {
      const own = like(name).filter(({ base }) => !FOLDER_FILES.includes(fileStem(base)));
      return [...own, ...(byFolderName().get(name) ?? [])].sort((a, b) => a.at - b.at);
    },
  };
}

/** The name of a file that represents its folder. */
const nameOf = ({ path, base }: Entry): string => plain(folderOf(path, base) ?? fileStem(base));

/** The folder of a file with this own name; null at the top. */
function folderOf(path: string, base: string): string | null {
  const end = path.length - base.length - 1;
  return end < 0 ? null : path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

/** The places of files in chains, each in ascending order: names that are equal as `plain` gives them are in one. */
function nameChains(files: readonly FileRow[]) {
  let size = 1024;
  while (size < files.length) size *= 2;
  // Places + 1; 0 ends a chain.
  const head = new Int32Array(size);
  const next = new Int32Array(files.length);
  for (let at = files.length - 1; at >= 0; at -= 1) {
    const path = files[at]?.path ?? "";
    const start = path.lastIndexOf("/") + 1;
    const own = lettersOf(path, start);
    const chain = (own < 0 ? lettersOf(plain(fileStem(path.slice(start))), 0, true) : own) & (size - 1);
    next[at] = head[chain] ?? 0;
    head[chain] = at + 1;
  }
  return {
    *of(name: string): Generator<number> {
      for (let place = head[lettersOf(name, 0, true) & (size - 1)] ?? 0; place > 0; place = next[place - 1] ?? 0)
        yield place - 1;
    },
  };
}

/**
 * A number of the small letters and digits of ASCII in a name that begins at `start` and ends at its first dot, like `fileStem`. Negative for
 * a name with other letters, unless these are to be passed over: `plain` may turn them into letters of ASCII.
 */
function lettersOf(text: string, start: number, passesOver = false): number {
  let hash = 7;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT && at > start) break;
    if (code >= 128) {
      if (passesOver) continue;
      return -1;
    }
    if (code === DASH || code === UNDERSCORE) continue;
    hash = (Math.imul(hash, 31) + (code >= UPPER_A && code <= UPPER_Z ? code + 32 : code)) & 0x3fffffff;
  }
  return hash;
}

const DOT = 46;
const DASH = 45;
const UNDERSCORE = 95;
const UPPER_A = 65;
const UPPER_Z = 90;
