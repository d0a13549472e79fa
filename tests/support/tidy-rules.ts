/**
 * The rules of the project's structure, as pure functions from files to breaches (`path: what`).
 *
 * `tests/tidy.test.ts` runs them on the repository and on planted breaches. The formatter, linter and compiler cover
 * everything else.
 */
import { dirname } from "node:path/posix";
import { ENTRIES } from "../../scripts/build.ts";
import { wayBack } from "./import-cycle.ts";
import { edges, inCode, kept, type SourceFile, scanned, written } from "./imports.ts";
import { lex } from "./lex.ts";
import { sizesIn } from "./sizes.ts";
import {
  CHANCE_ALLOWED,
  DOORS,
  FILES_OF_FOLDER_MAX,
  FOLDER_ORDERS,
  FORBIDDEN_NAME,
  LARGE_FOLDERS,
  LAYERS,
  LAZY_TABLES,
  LINES_MAX,
  LINES_OF_FUNCTION_MAX,
  LINES_OF_TEST_MAX,
  MEMBERS_MAX,
  TABLES,
  UNSAID,
  VALUE_TABLES,
} from "./tidy-tables.ts";

export type Rule = (files: readonly SourceFile[]) => readonly string[];

const inSource = (file: Pick<SourceFile, "path">): boolean => inCode(file) && file.path.startsWith("src/");
const isTest = (path: string): boolean => path.endsWith(".test.ts") || path.endsWith(".test.tsx");
const isEntry = (path: string): boolean => ENTRIES.some((entry) => entry === path);
const isRoot = (path: string): boolean => isEntry(path) || path === "src/main-process.ts";
const isWorker = (path: string): boolean => isEntry(path) && path !== "src/main.ts";

/** The part of a file of `src`: its folder, or its name if it is on the top level. */
const partOf = (path: string): string => /^src\/([^/]+?)(?:\/|\.d\.ts$|\.tsx?$)/.exec(path)?.[1] ?? "";
const rowOf = (path: string): number => LAYERS.findIndex((row) => row.some((part) => belongs(partOf(path), part)));

/** `keys.ts` on the top level of `src` is of the part `config`. */
const belongs = (name: string, part: string): boolean => name === part || name.startsWith(`${part}-`);

const CAPABILITY_ROWS = [
  LAYERS.findIndex((row) => row.includes("evaluation")),
  LAYERS.findIndex((row) => row.includes("retrieval")),
  LAYERS.findIndex((row) => row.includes("judgement")),
];
const EDGE_ROW = LAYERS.findIndex((row) => row.includes("db"));

export const RULES = {
  "imports point down": (files) =>
    edges(files.filter(inSource), written).flatMap(({ from, to }) => {
      if (!to.startsWith("src/") || partOf(from) === partOf(to) || samePart(from, to)) return [];
      if (LAZY_TABLES.includes(to)) return [];
      const [above, below] = [rowOf(from), rowOf(to)];
      if (above < 0 || below < 0) return [`${above < 0 ? from : to}: is in no known part`];
      return above > below || (above === below && VALUE_TABLES.includes(to))
        ? []
        : [`${from}: imports ${to}, which is not below it`];
    }),

  "lazy tables import nothing when they are loaded": (files) =>
    files
      .filter(({ path }) => LAZY_TABLES.includes(path))
      .flatMap((file) =>
        scanned(file)
          .filter(({ kind }) => kind === "import-statement")
          .map(({ path }) => `${file.path}: imports ${path}`),
      ),

  "folders import one way": (files) =>
    edges(files.filter(inSource), written).flatMap(({ from, to }) => {
      const home = homeOf(from, to);
      const order = FOLDER_ORDERS[home];
      const [folder, other] = [folderIn(home, from), folderIn(home, to)];
      if (home === "" || folder === other || LAZY_TABLES.includes(to)) return [];
      const isPart = !home.includes("/");
      if (isPart ? order === undefined : folder === "" || other === "") return [];
      const rows = order?.includes("") === false ? [...order, ""] : (order ?? []);
      const [above, below] = [rows.indexOf(folder), rows.indexOf(other)];
      if (above < 0 || below < 0) return [`${above < 0 ? from : to}: its folder is not in the order of ${home}`];
      return above > below ? [] : [`${from}: imports ${to}, which is not below it`];
    }),

  "folders can be taken in": (files) => {
    const folders = Map.groupBy(files.filter(inSource), ({ path }) => dirname(path));
    return [...folders].flatMap(([folder, { length }]) => {
      if (Object.hasOwn(LARGE_FOLDERS, folder))
        return length > FILES_OF_FOLDER_MAX ? [] : [`${folder}: is small enough to leave the list of large folders`];
      return length > FILES_OF_FOLDER_MAX ? [`${folder}: ${length} files, at most ${FILES_OF_FOLDER_MAX}`] : [];
    });
  },

  "files import without cycles": (files) => {
    const source = files.filter(inSource);
    const imports = Map.groupBy(edges(source, written), ({ from }) => from);
    const next = (path: string): readonly string[] => (imports.get(path) ?? []).map(({ to }) => to);
    return source.flatMap(({ path }) => {
      const cycle = wayBack(path, next);
      return cycle === null ? [] : [`${path}: imports itself by way of ${cycle.join(", ")}`];
    });
  },

  "capabilities name edges only as types": (files) =>
    edges(files.filter(inSource), kept).flatMap(({ from, to }) =>
      CAPABILITY_ROWS.includes(rowOf(from)) && rowOf(to) === EDGE_ROW && !isWorker(from) && !VALUE_TABLES.includes(to)
        ? [`${from}: imports a value of ${to}`]
        : [],
    ),

  "a dependency has one door": (files) =>
    edges(files.filter(inSource), kept).flatMap(({ from, to }) => {
      if (to.startsWith(".") || to.includes("/src/") || /^(src|grammars|dist)\/|^package\.json$|^node:|^bun$/.test(to))
        return [];
      const door = DOORS.find(([name]) => to === name || to.startsWith(`${name}/`));
      if (door === undefined) return [`${from}: ${to} has no door in the table`];
      return door[1].some((place) => from.startsWith(place))
        ? []
        : [`${from}: imports ${to}; its door is ${door[1].join(", ")}`];
    }),

  "the interface is loaded when it is asked for": (files) =>
    files
      .filter((file) => inSource(file) && partOf(file.path) !== "tui")
      .flatMap((file) =>
        scanned(file)
          .filter(({ kind, path }) => kind === "import-statement" && /^\.{1,2}\/(?:.*\/)?tui\//.test(path))
          .map(({ path }) => `${file.path}: imports ${path} before anybody asks for it`),
      ),

  "a file opens with what it is for": (files) =>
    files
      .filter(inCode)
      .flatMap(({ path, text }) =>
        isTest(path) || /^(#![^\n]*\n)?\/\*\*\s/.test(text) ? [] : [`${path}: has no header comment`],
      ),

  "files are short": (files) =>
    files.filter(inCode).flatMap(({ path, text }) => {
      const lines = text.split("\n").length - 1;
      const linesMax = isTest(path) ? LINES_OF_TEST_MAX : LINES_MAX;
      if (TABLES.includes(path))
        return lines > linesMax ? [] : [`${path}: is short enough to leave the list of tables`];
      return lines > linesMax ? [`${path}: ${lines} lines, at most ${linesMax}`] : [];
    }),

  "functions are short and types narrow": (files) =>
    files.filter(inSource).flatMap(({ path, text }) =>
      sizesIn(path, text).flatMap(({ kind, line, size }) => {
        const [sizeMax, unit] = kind === "type" ? [MEMBERS_MAX, "members"] : [LINES_OF_FUNCTION_MAX, "lines"];
        return size > sizeMax ? [`${path}:${line}: a ${kind} of ${size} ${unit}, at most ${sizeMax}`] : [];
      }),
    ),

  "names say what is inside": (files) =>
    files.flatMap(({ path }) => {
      const segments = path.split("/");
      if (segments.some((segment) => FORBIDDEN_NAME.test(segment)))
        return [`${path}: says nothing about what is inside`];
      return inCode({ path }) && !/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(segments.at(-1) ?? "")
        ? [`${path}: is not kebab-case`]
        : [];
    }),

  "nothing is dead": (files) => {
    const source = files.filter(inSource);
    const next = Map.groupBy(edges(source, written), ({ from }) => from);
    const reached = new Set<string>();
    const visit = (path: string): void => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const { to } of next.get(path) ?? []) visit(to);
    };
    for (const { path } of source) if (isRoot(path)) visit(path);
    return source
      .filter(({ path }) => !reached.has(path) && !path.endsWith(".d.ts"))
      .map(({ path }) => `${path}: is used by nothing`);
  },

  "a worker is started from its own folder": (files) =>
    files
      .filter(({ path }) => inSource({ path }) && isWorker(path))
      .flatMap(({ path }) => {
        const name = `new URL("./${path.slice(path.lastIndexOf("/") + 1)}", import.meta.url)`;
        const starters = files.filter((file) => inSource(file) && file.text.includes(name));
        return starters.some((file) => dirname(file.path) === dirname(path))
          ? []
          : [`${path}: no file beside it says ${name}`];
      }),

  "only entries touch the process": (files) =>
    found(
      files.filter((file) => inSource(file) && !isRoot(file.path)),
      /(?<![.\w$])process\s*(?:\?\.|[.[])|\bBun\.(?:env|argv|stdin|stdout|stderr)\b|\bimport\.meta\.env\b/,
    ),

  "no clock, no chance, no locale": (files) => [
    ...found(
      files.filter(
        (file) =>
          inSource(file) && !isRoot(file.path) && !CHANCE_ALLOWED.includes(partOf(file.path).split("-")[0] ?? ""),
      ),
      /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bMath\.random\b|\brandomUUID\b|\bBun\.(?:nanoseconds|randomUUID)/,
    ),
    ...found(files.filter(inSource), /\.(?:localeCompare|toLocale\w+)\b|\bIntl\.(?!Segmenter\b)/),
  ],

  "nothing is printed behind the streams' back": (files) => found(files.filter(inSource), /\bconsole\s*\./),

  "types are not talked away": (files) => [
    ...found(
      files.filter(inCode),
      /:\s*any\b|\bas\s+any\b|[<,]\s*any\s*[,>]|\bany\[\]|[\w)\]]!(?=[.;,)\]\s[]|$)(?!=|\s*=)/,
    ),
    ...foundInComments(files.filter(inCode), /@ts-(?:ignore|nocheck|expect-error)/),
  ],

  "exports have names and homes": (files) => [
    ...found(
      files.filter((file) => inSource(file) && !file.path.endsWith(".d.ts")),
      /\bexport\s+default\b|\bexport\s*(?:type\s*)?(?:\*|\{[^}]*\})\s*from\b/,
    ),
    ...found(
      files.filter((file) => inSource(file) && file.path !== "src/failure.ts"),
      /(?<![.\w$])class\s+[A-Z]/,
    ),
  ],

  "tests run whole and real": (files) =>
    found(
      files.filter(({ path }) => path.startsWith("tests/")),
      /\b(?:test|it|describe)\.only\b|\bmock\.module\b|^\s*\}, [\d_]+\);$|\bsetDefaultTimeout\(\d/,
    ),

  "files that comments and papers name exist": (files) => {
    const paths = files.map(({ path }) => `/${path}`);
    return files.flatMap((file) =>
      [...(inCode(file) ? lex(file.text).comments : file.text).matchAll(/`([\w/-]+\.(?:ts|tsx|mjs))`/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !paths.some((known) => known.endsWith(`/${name}`)))
        .map((name) => `${file.path}: names ${name}, which does not exist`),
    );
  },

  "comments speak of the project": (files) => [
    ...matches(
      files.filter(({ path }) => !path.startsWith("tests/")),
      UNSAID,
      (text) => text,
    ),
    ...foundInComments(
      files.filter(({ path }) => path.startsWith("tests/")),
      UNSAID,
    ),
  ],
} as const satisfies Record<string, Rule>;

/** Breaches of the rule for the repository's top level; `names` are its entries that git does not ignore. */
export function topLevel(names: readonly string[], allowed: readonly string[]): readonly string[] {
  return names
    .filter((name) => !name.startsWith(".") && !allowed.includes(name))
    .map((name) => `${name}: does not belong on the top level`);
}

/** The innermost folder of `src` that holds both files: `db/curated`; "" if they are of different parts. */
function homeOf(a: string, b: string): string {
  const [folders, others] = [dirname(a).split("/"), dirname(b).split("/")];
  const at = folders.findIndex((name, index) => name !== others[index]);
  return folders.slice(1, at < 0 ? undefined : at).join("/");
}

/** The folder of `home` that a file is in, "" for a file directly in `home`. */
const folderIn = (home: string, path: string): string =>
  /^([^/]+)\//.exec(path.slice(`src/${home}/`.length))?.[1] ?? "";

const samePart = (from: string, to: string): boolean => {
  const part = LAYERS.flat().find((name) => belongs(partOf(from), name));
  return part !== undefined && belongs(partOf(to), part);
};

const found = (files: readonly SourceFile[], pattern: RegExp): readonly string[] =>
  matches(files, pattern, (text) => lex(text).code);
const foundInComments = (files: readonly SourceFile[], pattern: RegExp): readonly string[] =>
  matches(files, pattern, (text) => lex(text).comments);

function matches(files: readonly SourceFile[], pattern: RegExp, view: (text: string) => string): readonly string[] {
  return files.flatMap(({ path, text }) =>
    view(text)
      .split("\n")
      .flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1}: ${pattern.exec(line)?.[0].trim()}`] : [],
      ),
  );
}
