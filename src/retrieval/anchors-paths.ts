/**
 * Finds files by the way people write paths: whole, by their end, without extension, as a module, by
 * bare name, as a glob, with either kind of slash.
 *
 * Answers are ids in order of path; an empty list means no file.
 */
import type { FileRow } from "../db/curated.ts";

export type PathIndex = ReturnType<typeof indexPaths>;

/** `components` is how many trailing components agree, `written` how many the text has. */
export type PathMatch = { readonly files: readonly number[]; readonly components: number; readonly written: number };

type Entry = { readonly id: number; readonly path: string; readonly parts: readonly string[] };

/** Files that stand for their folder, without extension. */
const FOLDER_FILES: ReadonlySet<string> = new Set(["index", "__init__", "mod"]);
/** Longer texts are no paths. */
const PATH_MAX = 400;

/** Builds the index. */
export function indexPaths(files: readonly FileRow[]) {
  const entries = files.map(({ id, path }): Entry => ({ id, path, parts: path.split("/") }));
  const byBase = Map.groupBy(entries, ({ parts }) => parts.at(-1) ?? "");
  const byStem = Map.groupBy(entries, ({ parts }) => stemOf(parts.at(-1) ?? ""));
  const byFolder = Map.groupBy(
    entries.filter(({ parts }) => FOLDER_FILES.has(stemOf(parts.at(-1) ?? ""))),
    ({ parts }) => parts.at(-2) ?? "",
  );
  const byName = Map.groupBy(entries, nameOf);

  /** The files whose path agrees with the end of this one in the most components. */
  function endingLike(text: string): PathMatch {
    const parts = partsOf(text);
    let components = 0;
    let found: Entry[] = [];
    for (const entry of byBase.get(parts.at(-1) ?? "") ?? []) {
      const same = commonEnd(entry.parts, parts);
      if (same > components) found = [];
      if (same >= components) found.push(entry);
      components = Math.max(components, same);
    }
    return { files: found.map(({ id }) => id), components, written: parts.length };
  }

  /** The files whose path ends with all of this one, but for an extension or an index file. */
  function withoutExtension(text: string): readonly number[] {
    const parts = partsOf(text);
    return parts.length < 2 ? [] : endingWith(parts);
  }

  /** The files that hold the module with these name components. */
  const module = (parts: readonly string[]): readonly number[] => endingWith(parts);

  function endingWith(parts: readonly string[]): readonly number[] {
    const last = parts.at(-1) ?? "";
    const direct = (byStem.get(last) ?? []).filter(
      (entry) => commonEnd(entry.parts.slice(0, -1), parts.slice(0, -1)) === parts.length - 1,
    );
    const folders = (byFolder.get(last) ?? []).filter(
      (entry) => commonEnd(entry.parts.slice(0, -1), parts) === parts.length,
    );
    return inPathOrder([...direct, ...folders]);
  }

  /** The files with this name, case, extension and the difference between `-` and `_` aside. */
  const named = (text: string): readonly number[] => {
    const name = text.length > PATH_MAX ? "" : plain(text);
    return name.length < 3 ? [] : (byName.get(name) ?? []).map(({ id }) => id);
  };

  /** The files that a glob matches; one without a slash matches in any folder. */
  function matchingGlob(text: string): readonly number[] {
    if (text.length > PATH_MAX) return [];
    const pattern = text.replace(/^\.\//, "");
    const glob = new Bun.Glob(pattern.includes("/") ? pattern : `**/${pattern}`);
    return entries.filter(({ path }) => glob.match(path)).map(({ id }) => id);
  }

  /** The files under this folder. */
  function under(text: string): readonly number[] {
    const parts = partsOf(text);
    const folder = `/${parts.join("/")}/`;
    return parts.length === 0 ? [] : entries.filter(({ path }) => `/${path}`.includes(folder)).map(({ id }) => id);
  }

  return { endingLike, withoutExtension, module, named, matchingGlob, under };
}

/** The components of a path as written, without `.`, `..` and a line number at its end. */
function partsOf(text: string): readonly string[] {
  if (text.length > PATH_MAX) return [];
  return text
    .replaceAll("\\", "/")
    .replace(/(?::\d+){1,2}:?$/, "")
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..");
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let same = 0;
  while (same < a.length && same < b.length && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1;
  return same;
}

/** A file's name up to its last dot; `types.d.ts` and `app.test.ts` up to the first. */
const stemOf = (base: string): string => (base.startsWith(".") ? base : (base.split(".")[0] ?? base));

const nameOf = ({ parts }: Entry): string => {
  const stem = stemOf(parts.at(-1) ?? "");
  return plain(FOLDER_FILES.has(stem) ? (parts.at(-2) ?? stem) : stem);
};

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^_+|_+$/g, "")
    .replaceAll("-", "_");

const inPathOrder = (entries: readonly Entry[]): readonly number[] =>
  [...new Set(entries)].sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ id }) => id);
