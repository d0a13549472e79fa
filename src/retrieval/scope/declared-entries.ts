/**
 * Entry points that a repository declares: what its manifests name as the beginning of a package or as a command, and `main.go` at the root or
 * under `cmd`. A file's name says less: folders of all kinds have an index.
 */
import type { FileQueries, FileRow } from "../../db/curated/knowledge-base.ts";
import { isRecord, parseJson } from "../../text/parse-json.ts";
import { folderOf, joinPath, nameOf } from "../../text/repo-path.ts";

/** Of many packages, those nearest to the root. */
const MANIFESTS_MAX = 20;
/** Longer manifests are not read. */
const MANIFEST_CHARS_MAX = 200_000;
/** Of a package.json, and how deep its conditions are nested. */
const PATHS_MAX = 100;
const NESTED_MAX = 8;

/**
 * A kind of manifest, and the paths that one declares, seen from its folder: groups of which the first path that is a source counts.
 * `textOf` is the text of a file, empty if there is none.
 */
type Kind = {
  readonly file: RegExp;
  readonly declared: (text: string, textOf: (path: string) => string) => readonly (readonly string[])[];
};
const KINDS: readonly Kind[] = [
  { file: /^package\.json$/, declared: npmEntries },
  { file: /^Cargo\.toml$/, declared: cargoEntries },
  { file: /^(?:pyproject\.toml|setup\.cfg|setup\.py)$/, declared: pythonEntries },
  { file: /\.gemspec$/, declared: gemEntries },
];

/**
 * The declared files among `sources`, which are in order of centrality: for each kind those of the manifests nearest to the root that declare one,
 * in the order of the manifest. Of several manifests, that of the most central file is first.
 */
export function declaredEntries(
  kb: Pick<FileQueries, "textsToMatch">,
  files: readonly FileRow[],
  sources: readonly FileRow[],
): readonly FileRow[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const sourceOf = new Map(sources.map((file) => [file.path, file]));
  const placeOf = new Map(sources.map(({ path }, place) => [path, place]));
  const textOf = (path: string): string => {
    const id = byPath.get(path)?.id;
    const text = id === undefined ? "" : (kb.textsToMatch([id]).get(id) ?? "");
    return text.length > MANIFEST_CHARS_MAX ? "" : text;
  };
  const declaredIn = (path: string, { declared }: Kind): readonly string[] => {
    const at = (relative: string): string => joinPath(folderOf(path), relative) ?? "";
    return declared(textOf(path), (relative) => textOf(at(relative))).flatMap(
      (group) => group.map(at).find((one) => sourceOf.has(one)) ?? [],
    );
  };
  const found = KINDS.flatMap((kind) => {
    const own = files
      .filter(({ path, isTest }) => !isTest && kind.file.test(nameOf(path)))
      .map(({ path }) => path)
      .sort((a, b) => depthOf(a) - depthOf(b));
    const declaring = own.slice(0, MANIFESTS_MAX).flatMap((manifest) => {
      const paths = declaredIn(manifest, kind);
      const place = Math.min(...paths.map((one) => placeOf.get(one) ?? sources.length));
      return paths.length === 0 ? [] : [{ depth: depthOf(manifest), place, paths }];
    });
    return declaring
      .filter(({ depth }) => depth === declaring[0]?.depth)
      .sort((a, b) => a.place - b.place)
      .flatMap(({ paths }) => paths);
  });
  const commands = sources.map(({ path }) => path).filter((path) => GO_COMMAND.test(path));
  return [...new Set([...found, ...commands.toSorted((a, b) => depthOf(a) - depthOf(b))])].flatMap(
    (path) => sourceOf.get(path) ?? [],
  );
}

const GO_COMMAND = /^(?:cmd\/.+\/)?main\.go$/;

const depthOf = (path: string): number => path.split("/").length;

const ECMASCRIPT = ["ts", "tsx", "js", "mjs", "cjs", "jsx"];

/** A built file is not in the repository: its source has its name, or is the index of the sources. */
function npmEntries(text: string): readonly (readonly string[])[] {
  const manifest = parseJson(text);
  if (!isRecord(manifest)) return [];
  const { bin, source, exports, main, module } = manifest;
  const hasSubpaths = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith("."));
  const paths = [bin, source, hasSubpaths ? exports["."] : exports, main, module].flatMap((value) => texts(value));
  return paths.slice(0, PATHS_MAX).map((path) => {
    const stem = nameOf(path).replace(/\.\w+$/, "");
    const withEnding = (base: string): readonly string[] => ECMASCRIPT.map((ending) => `${base}.${ending}`);
    return [path, ...[path, `${path}/index`, `src/${stem}`, "src/index"].flatMap(withEnding)];
  });
}

/** All texts in a value. */
function texts(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth === NESTED_MAX) return [];
  return Object.values(value).flatMap((each) => texts(each, depth + 1));
}

/** Where commands and the library are if not in Cargo's layout. Tests, examples and benchmarks have paths, too, and are no sources. */
const CARGO_TARGET = /^[ \t]*path[ \t]*=[ \t]*["']([^"'\n]+\.rs)["']/gm;
const CARGO_NAME = /^[ \t]*name[ \t]*=[ \t]*["']([\w-]+)["']/gm;

function cargoEntries(text: string): readonly (readonly string[])[] {
  const paths = [...text.matchAll(CARGO_TARGET)].map(([, path = ""]) => path);
  const names = [...text.matchAll(CARGO_NAME)].map(([, name = ""]) => `src/bin/${name}`);
  return [
    ...paths.map((path) => [path]),
    ["src/main.rs"],
    ...names.map((path) => [`${path}.rs`, `${path}/main.rs`]),
    ["src/lib.rs"],
  ];
}

/** `flask = "flask.cli:main"`, as all Python manifests write scripts. */
const PYTHON_SCRIPT = /=[ \t]*["']?([A-Za-z_][\w.]*):[A-Za-z_]/g;

function pythonEntries(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(PYTHON_SCRIPT)].map(([, name = ""]) => {
    const path = name.replaceAll(".", "/");
    return ["", "src/", "lib/"].flatMap((root) => [`${root}${path}.py`, `${root}${path}/__init__.py`]);
  });
}

const REQUIRE = /^[ \t]*require[ (]+["']([\w./-]+)["']/gm;

/** The command named like the gem is a script, and what it requires last does the work. The library is named like the gem, too. */
function gemEntries(text: string, textOf: (path: string) => string): readonly (readonly string[])[] {
  const name = /\.name\s*=\s*["']([\w.-]+)["']/.exec(text)?.[1];
  if (name === undefined) return [];
  const scripts = [`bin/${name}`, `exe/${name}`];
  const required = scripts.map((path) => [...textOf(path).matchAll(REQUIRE)].map(([, what = ""]) => `lib/${what}.rb`));
  return [...required.map((paths) => paths.toReversed()), [`lib/${name}.rb`, `lib/${name.replaceAll("-", "/")}.rb`]];
}
