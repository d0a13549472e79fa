/**
 * Finds files by the ways people write paths: whole, by the end, without extension, as a module, by name, as a glob.
 *
 * Both slashes work. Results are ids in order of path; an empty result means no file.
 */

import { onDemand } from "../../concurrency/on-demand.ts";
import type { FileRow } from "../../db/curated/knowledge-base.ts";
import { commonEnd } from "../../text/common-end.ts";
import { byPath } from "../../text/order.ts";
import { fileStem } from "../../text/terms/path-names.ts";
import { type Entry, nameTable, plain } from "./name-table.ts";

export type PathIndex = ReturnType<typeof pathIndex>;

/**
 * `components` is the number of trailing components that agree, `written` the number in the text. `whole`: the paths of
 * the files agree from their first component on.
 */
type PathMatch = {
  readonly files: readonly number[];
  readonly components: number;
  readonly written: number;
  readonly whole: boolean;
};

/** A path as agents take mentions (`@src/cart.ts`), and with an alias of a bundler (`@/cart.ts`, `$lib/cart.ts`). */
const SIGNED = /^[@$][\w./]/;

/** Longer texts are not paths. */
const PATH_MAX = 400;

const cache = new WeakMap<readonly FileRow[], PathIndex>();

/** The index of a list of files, cached for later tasks on the same list. */
export function indexPaths(files: readonly FileRow[]): PathIndex {
  const found = cache.get(files) ?? pathIndex(files);
  cache.set(files, found);
  return found;
}

function pathIndex(files: readonly FileRow[]) {
  // Few tasks need any of these but the files at the top.
  const atTop = onDemand(() => files.filter(({ path }) => !path.includes("/")));
  const names = nameTable(files);

  /** The files whose path has the most trailing components in common with this one. */
  function endingLike(text: string): PathMatch {
    const written = matching(partsOf(text));
    if (written.components === written.written || !SIGNED.test(text)) return written;
    const bare = matching(partsOf(text.slice(1)));
    return bare.components === bare.written ? bare : written;
  }

  function matching(parts: readonly string[]): PathMatch {
    let components = 0;
    let found: Entry[] = [];
    for (const entry of names.withBase(parts.at(-1) ?? "")) {
      const same = commonEnd(entry.path.split("/"), parts);
      if (same > components) found = [];
      if (same >= components) found.push(entry);
      components = Math.max(components, same);
    }
    const whole = found.length > 0 && found.every(({ path }) => path.split("/").length === components);
    return { files: found.map(({ id }) => id), components, written: parts.length, whole };
  }

  /** The files whose path ends with this one, ignoring extensions and index files. */
  function withoutExtension(text: string): readonly number[] {
    const parts = partsOf(text.replace(/^@(?=\/)/, ""));
    return parts.length < 2 ? [] : endingWith(parts);
  }

  /** The files of the module with these name components. */
  function endingWith(parts: readonly string[]): readonly number[] {
    const last = parts.at(-1) ?? "";
    const direct = names
      .withStem(last)
      .filter((entry) => commonEnd(entry.path.split("/").slice(0, -1), parts.slice(0, -1)) === parts.length - 1);
    const folders = names
      .ofFolder(last)
      .filter((entry) => commonEnd(entry.path.split("/").slice(0, -1), parts) === parts.length);
    return inPathOrder([...direct, ...folders]);
  }

  /** The files with this name, ignoring case, extension and the difference between `-` and `_`. */
  const named = (text: string): readonly number[] => {
    const name = text.length > PATH_MAX ? "" : plain(text);
    return name.length < 3 ? [] : names.named(name).map(({ id }) => id);
  };

  /** The only file at the root with this name (`Makefile`), which may have an ending if all of it is capital (`README.md`). */
  function atRoot(name: string): readonly number[] {
    const hasEnding = (base: string): boolean => name === name.toUpperCase() && base.lastIndexOf(".") === name.length;
    const found = atTop().filter(({ path }) => fileStem(path) === name && (path === name || hasEnding(path)));
    return found.length === 1 ? found.map(({ id }) => id) : [];
  }

  /** The files that a glob matches; one without a slash matches in any folder. */
  function matchingGlob(text: string): readonly number[] {
    if (text.length > PATH_MAX) return [];
    const pattern = text.replace(/^\.\//, "");
    const glob = new Bun.Glob(pattern.includes("/") ? pattern : `**/${pattern}`);
    return files.filter(({ path }) => glob.match(path)).map(({ id }) => id);
  }

  function under(text: string): readonly number[] {
    const parts = partsOf(text);
    const folder = `/${parts.join("/")}/`;
    return parts.length === 0 ? [] : files.filter(({ path }) => `/${path}`.includes(folder)).map(({ id }) => id);
  }

  return { endingLike, withoutExtension, module: endingWith, named, atRoot, matchingGlob, under };
}

/** Whether a path is absolute on any system. */
export const isAbsolute = (text: string): boolean => /^(?:file:\/\/)?(?:[/\\~]|[A-Za-z]:[/\\])/.test(text);

/** A version in the name of a folder of a language. */
const VERSION = String.raw`[\d.]*`;
/**
 * The folders of installed packages, including the package's own where its name does not belong to the path in its repository, and those
 * of the libraries that languages bring.
 */
const INSTALLED = new RegExp(
  `^.*(?:^|/)(?:${[
    "(?:site|dist)-packages",
    "node_modules/(?:@[^/]+/)?[^/]+",
    "gems/[^/]+",
    String.raw`[^/]+@v\d[^/]*`,
    "registry/src/[^/]+/[^/]+",
    // Composer, and Go, whose folder begins with a host.
    "vendor/[^/.]+/[^/]+",
    String.raw`vendor/[^/]+\.[^/]+/[^/]+/[^/]+`,
    `lib(?:64)?/(?:python|ruby/)${VERSION}`,
    `(?:python|(?:ana|mini)?conda)${VERSION}/lib`,
    "rustlib/src/rust|rustc/[0-9a-f]+",
    `(?:local|lib)/go(?:-${VERSION})?/src|go/?${VERSION}\\d(?:.x64|.libexec)?/src`,
  ].join("|")})/`,
  "i",
);

/** The components of a path inside an installed package; null for a path of no package. */
function installedParts(text: string): readonly string[] | null {
  const path = text.length > PATH_MAX ? "" : text.replaceAll("\\", "/");
  return INSTALLED.test(path) ? partsOf(path.replace(INSTALLED, "")) : null;
}

/** Whether a path is one of an installed package. */
export const isInstalled = (text: string): boolean => installedParts(text) !== null;

/** The folders that git writes before the paths of a diff. */
const DIFF_SIDE = /^[ab]\//;
/** Distinguishes a path that starts with the repository's own folder from a path in another folder. */
const IN_FOLDER_COMPONENTS_MIN = 3;

/**
 * Whether the text names the files of a match. All components of a relative path must agree, except one folder before a
 * file's whole path; of an absolute path, two; of an installed package's path, those after its folder.
 */
export function isNamed(text: string, { components, written, whole }: PathMatch): boolean {
  if (components === 0 || components === written) return components > 0;
  if (whole && written === components + 1 && DIFF_SIDE.test(text)) return true;
  if (components < 2) return false;
  const installed = installedParts(text);
  if (installed !== null) return components >= installed.length;
  if (isAbsolute(text)) return true;
  return whole && components >= IN_FOLDER_COMPONENTS_MIN && written === components + 1;
}

/**
 * Whether the path of a stack frame is that of a match. One file of the name is enough for an absolute path, since the repository may be
 * copied elsewhere file by file, but not for one of an installed package: that is another package's as a rule.
 */
export function isPlaced(text: string, match: PathMatch): boolean {
  const { files, components, whole } = match;
  const installed = installedParts(text);
  if (installed !== null) return components >= installed.length && (whole || installed.length > 1);
  return isAbsolute(text) ? files.length === 1 || components > 1 : whole || isNamed(text, match);
}

/** The components of a path as written, without `.`, `..` and a line number at its end. */
function partsOf(text: string): readonly string[] {
  if (text.length > PATH_MAX) return [];
  return text
    .replaceAll("\\", "/")
    .replace(/(?::\d+){1,2}(?:-\d+)?:?$|#L\d+(?:-L?\d+)?$/, "")
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..");
}

const inPathOrder = (entries: readonly Entry[]): readonly number[] =>
  [...new Set(entries)].sort(byPath).map(({ id }) => id);
