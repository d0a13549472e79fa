/** Finds names of files and symbols of the repository in a task. */
import type { FileRow, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../task/query.ts";
import { isShort } from "../../task/searched-task.ts";
import { type Positions, positionsById } from "../lexical/file-positions.ts";
import { type Anchor, isPattern } from "../model/anchor.ts";
import { definitionAnchors, inFileOrder } from "./definition-names.ts";
import { linkedPlace } from "./forge-links.ts";
import { formerFile } from "./former-files.ts";
import { indexPaths, isNamed, type PathIndex } from "./path-index.ts";
import { namePartsOf } from "./qualified-names.ts";
import { frameAnchors, symbolsAt } from "./stack-frames.ts";
import { definitionsTyped, filesTyped } from "./typed-names.ts";
import { verbatimPathAnchors } from "./verbatim-paths.ts";

/** A module name in prose with more files than this is ignored. */
const MODULE_FILES_MAX = 5;
const BARE_PATH_FILES_MAX = 4;
const URL_FILES_MAX = 5;
const STEM_FILES_MAX = 20;
/** The value of a path without its extension, and of a bare file name. */
const WITHOUT_EXTENSION = 0.7;
const BARE_NAME = 0.5;

/** Of each list of files, the last answer: a question asks before and after it knows that the index is current. */
const newest = new WeakMap<readonly FileRow[], { readonly task: TaskQuery; readonly anchors: readonly Anchor[] }>();

/** Finds the anchors of a task among these files (in order of path): hints first, then by kind, each in the order of the text. */
export function findAnchors(task: TaskQuery, kb: SymbolQueries, files: readonly FileRow[]): readonly Anchor[] {
  const before = newest.get(files);
  if (before?.task === task) return before.anchors;
  const anchors = anchorsIn(task, kb, files);
  newest.set(files, { task, anchors });
  return anchors;
}

function anchorsIn(task: TaskQuery, kb: SymbolQueries, files: readonly FileRow[]): readonly Anchor[] {
  const paths = indexPaths(files);
  const positions = positionsById(files);
  const written = pathAnchors(task, paths);
  const definitions = definitionAnchors(task, kb, files, written);
  const named = [
    ...(isShort(task) ? written.map((anchor) => atWholePath(meantOf(anchor, definitions), task, files)) : written),
    ...rootAnchors(task, paths),
  ];
  return [
    ...hintAnchors(task, kb, { files, paths, positions }),
    ...named,
    ...verbatimPathAnchors(task, files),
    ...moduleAnchors(task, paths).filter((anchor) => !isMeantElsewhere(anchor, task, definitions)),
    ...urlAnchors(task, kb, paths),
    ...frameAnchors(task, kb, paths),
    ...stemAnchors(task, paths),
    ...definitions.filter(({ text }) => !isOnlyInPath(text, task, named)),
  ];
}

/**
 * Of several files that a path can mean (`package.json` in each package of a monorepo), the one whose whole path it is, unless the
 * task names the folder of another.
 */
function atWholePath(anchor: Anchor, { keywords }: TaskQuery, files: readonly FileRow[]): Anchor {
  if (anchor.files.length < 2) return anchor;
  const path = anchor.text.replace(/^\.\//, "");
  const named = new Set(anchor.files);
  const whole = files.find((file) => named.has(file.id) && file.path === path);
  if (whole === undefined) return anchor;
  const own = new Set(foldersOf(path));
  const others = files.flatMap((file) => (named.has(file.id) ? foldersOf(file.path) : [])).filter((it) => !own.has(it));
  return keywords.some((word) => others.includes(word)) ? anchor : { ...anchor, files: [whole.id] };
}

const foldersOf = (path: string): readonly string[] => path.toLowerCase().split("/").slice(0, -1);

/** Of several files with a name ("parse in utils.py"), those that define what the task names too, if there are any. */
function meantOf(anchor: Anchor, definitions: readonly Anchor[]): Anchor {
  if (anchor.value !== BARE_NAME || anchor.files.length < 2) return anchor;
  const holding = new Set(definitions.flatMap(({ codeLike, files }) => (codeLike ? files : [])));
  const files = anchor.files.filter((file) => holding.has(file));
  return files.length === 0 ? anchor : { ...anchor, files };
}

/** In a short task, whether the definition of the whole name is in no file of its module: `shop::door::open` is not in `src/bin/shop/door.rs`. */
const isMeantElsewhere = ({ text, files }: Anchor, task: TaskQuery, definitions: readonly Anchor[]): boolean =>
  isShort(task) &&
  definitions.some(
    (other) => other.kind === "qualified" && other.text === text && !other.files.some((file) => files.includes(file)),
  );

/** In a short task, the name of a file (`GsonBuilder.java`) does not also name the definition that is called like it. */
function isOnlyInPath(text: string, task: TaskQuery, named: readonly Anchor[]): boolean {
  if (!isShort(task)) return false;
  const paths = named.filter(({ files, text: path }) => files.length > 0 && path !== text).map((anchor) => anchor.text);
  if (!paths.some((path) => path.includes(text))) return false;
  return !paths.reduce((rest, path) => rest.replaceAll(path, " "), task.raw).includes(text);
}

function pathAnchors(task: TaskQuery, paths: PathIndex): readonly Anchor[] {
  return task.fileHints.flatMap((hint) => {
    const anchor = { kind: "path", ...hint, symbols: [] } as const;
    if (isPattern(hint.text)) {
      const files = paths.matchingGlob(hint.text);
      return files.length > 0 ? [{ ...anchor, files, value: 1 }] : [];
    }
    const former = formerFile(hint.text, task.given, paths);
    if (former !== null) return former.files.length > 0 ? [{ ...anchor, ...former, value: 1 }] : [];
    const match = paths.endingLike(hint.text);
    if (isNamed(hint.text, match))
      return [{ ...anchor, files: match.files, value: match.written === 1 ? BARE_NAME : 1 }];
    const bare = paths.withoutExtension(hint.text);
    return bare.length > 0 && bare.length <= BARE_PATH_FILES_MAX
      ? [{ ...anchor, files: bare, value: WITHOUT_EXTENSION }]
      : [];
  });
}

/** A capitalized name that stands alone. */
const ROOT_NAME = /(?<![\p{L}\p{N}_./\\-])[A-Z][A-Za-z]+(?![\p{L}\p{N}_/\\-]|\.[\p{L}\p{N}])/gu;

/** Files at the root that the title names without an ending: `README`, `LICENSE`, `Makefile`. */
function rootAnchors({ sections }: TaskQuery, paths: PathIndex): readonly Anchor[] {
  const titles = sections.flatMap(({ kind, text }) => (kind === "title" ? [text] : []));
  const names = new Set(titles.flatMap((title) => title.match(ROOT_NAME) ?? []));
  return [...names].flatMap((text) => {
    const files = paths.atRoot(text);
    return files.length === 0
      ? []
      : [{ kind: "path", text, section: "title", codeLike: true, files, symbols: [], value: 1 } as const];
  });
}

/** The longest prefix of a dotted or `::` name, of at least two components, that is a file. */
function moduleAnchors(task: TaskQuery, paths: PathIndex): readonly Anchor[] {
  return [...task.fileHints, ...task.symbolHints].flatMap((hint) => {
    const parts = namePartsOf(hint.text);
    for (let length = parts.length; length >= 2; length -= 1) {
      const files = paths.module(parts.slice(0, length));
      if (files.length > 0 && files.length <= MODULE_FILES_MAX)
        return [{ kind: "module", ...hint, files, symbols: [], value: 1 } as const];
    }
    return [];
  });
}

/** Links to files on a forge; a link with a line names the innermost symbol there. */
function urlAnchors(task: TaskQuery, kb: SymbolQueries, paths: PathIndex): readonly Anchor[] {
  return task.urls.flatMap((url) => {
    const place = linkedPlace(url);
    if (place === null) return [];
    const { files, components, written, whole } = paths.endingLike(place.path);
    // A branch name with a slash is longer than the one component assumed here.
    if (files.length === 0 || files.length > URL_FILES_MAX || !(whole || components === written)) return [];
    const symbols = place.line === null ? [] : symbolsAt(kb, files, place.line);
    return [{ kind: "url", text: url, section: "prose", codeLike: false, files, symbols, value: 1 } as const];
  });
}

/** Words of inline code that are the name of a file; `-` and `_` are equal. */
function stemAnchors(task: TaskQuery, paths: PathIndex): readonly Anchor[] {
  const words = task.sections
    .filter(({ kind }) => kind === "inline")
    .flatMap(({ text }) => text.match(/[A-Za-z_][\w-]*/g) ?? []);
  return [...new Set(words)].flatMap((text) => {
    const files = paths.named(text);
    return files.length > 0 && files.length <= STEM_FILES_MAX
      ? [{ kind: "stem", text, section: "inline", codeLike: true, files, symbols: [], value: 1 } as const]
      : [];
  });
}

/** Anchors of `--hint-path` (a path, its end, a folder or a glob), then of `--hint-symbol`. A hint that matches nothing is an anchor without files. */
function hintAnchors(
  task: TaskQuery,
  kb: SymbolQueries,
  {
    files,
    paths,
    positions,
  }: { readonly files: readonly FileRow[]; readonly paths: PathIndex; readonly positions: Positions },
): readonly Anchor[] {
  const anchor = { kind: "hint", section: "title", codeLike: true, value: 1 } as const;
  return [
    ...task.given.paths.map((text) => {
      const found = formerFile(text, task.given, paths) ?? { files: filesLike(text, files, paths) };
      return { ...anchor, text, symbols: [], ...found };
    }),
    ...task.given.symbols.map((text) => {
      const symbols = inFileOrder(definitionsTyped(text, kb, files), positions);
      return {
        ...anchor,
        text,
        files: [...new Set(symbols.map(({ fileId }) => fileId))],
        symbols: symbols.map(({ id }) => id),
      };
    }),
  ];
}

function filesLike(text: string, files: readonly FileRow[], paths: PathIndex): readonly number[] {
  const named = filesTyped(text, files);
  if (named.length > 0) return named;
  if (isPattern(text)) return paths.matchingGlob(text);
  const inside = paths.under(text);
  return inside.length > 0 ? inside : paths.withoutExtension(text);
}
