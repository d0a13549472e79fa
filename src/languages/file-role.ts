/**
 * What a path alone says about a file: its language, how Markdown fences name it, whether it is a test,
 * and its role in the repository.
 *
 * Tables and pure functions; the content is never looked at. Ids are lower case and stable: they are
 * stored in the index. A file of no known language is "text". Paths are `/` separated and relative.
 * Not here: which languages have a grammar (`syntax/`), which files are skipped (`source/walk/skip.ts`).
 */

/** What a file is for, first match wins in this order: declaration, test, config, docs, example, else source. */
export type FileRole = "source" | "test" | "example" | "declaration" | "config" | "docs";

/** Language by extension (lower case, without the dot). */
const BY_EXTENSION: ReadonlyMap<string, string> = table({
  python: "py pyi pyx pxd pxi pyw bzl star",
  typescript: "ts mts cts",
  tsx: "tsx",
  javascript: "js jsx mjs cjs es6",
  go: "go",
  rust: "rs",
  java: "java",
  kotlin: "kt kts",
  scala: "scala sc sbt",
  groovy: "groovy gradle",
  c: "c h",
  cpp: "cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp cu cuh",
  objc: "m mm",
  csharp: "cs csx",
  fsharp: "fs fsi fsx",
  vb: "vb",
  ruby: "rb rake gemspec ru erb",
  php: "php phtml php3 php4 php5",
  swift: "swift",
  dart: "dart",
  lua: "lua",
  elixir: "ex exs heex eex",
  erlang: "erl hrl",
  haskell: "hs lhs",
  ocaml: "ml mli",
  clojure: "clj cljs cljc edn",
  lisp: "lisp cl el scm rkt",
  julia: "jl",
  r: "r",
  perl: "pl pm t",
  zig: "zig zon",
  nim: "nim",
  v: "v",
  crystal: "cr",
  solidity: "sol",
  bash: "sh bash zsh ksh fish",
  powershell: "ps1 psm1 psd1",
  batch: "bat cmd",
  vim: "vim",
  vue: "vue",
  svelte: "svelte",
  astro: "astro",
  css: "css pcss",
  scss: "scss",
  sass: "sass",
  less: "less",
  html: "html htm xhtml ejs",
  jinja: "j2 jinja jinja2",
  handlebars: "hbs handlebars mustache",
  xml: "xml xsd xsl xslt svg plist csproj vbproj fsproj props targets resx",
  yaml: "yml yaml",
  toml: "toml",
  json: "json jsonc json5 jsonl ndjson geojson webmanifest ipynb map",
  ini: "ini cfg conf properties editorconfig",
  graphql: "graphql gql",
  protobuf: "proto",
  thrift: "thrift",
  sql: "sql psql",
  terraform: "tf tfvars hcl",
  nix: "nix",
  cmake: "cmake",
  makefile: "mk mak",
  dockerfile: "dockerfile",
  glsl: "glsl vert frag comp hlsl wgsl metal",
  asm: "s asm",
  fortran: "f f77 f90 f95 f03 f08",
  verilog: "sv svh vh",
  tex: "tex bib sty cls",
  csv: "csv tsv",
  diff: "diff patch",
  markdown: "md markdown mdx mdown mkd",
  rst: "rst rest",
  asciidoc: "adoc asciidoc asc",
  org: "org",
  text: "txt text log",
});

/** Language by whole file name (lower case). Beats the extension. */
const BY_NAME: ReadonlyMap<string, string> = table({
  dockerfile: "dockerfile containerfile",
  makefile: "makefile gnumakefile kbuild justfile",
  cmake: "cmakelists.txt",
  ruby: "gemfile rakefile vagrantfile podfile fastfile guardfile brewfile capfile",
  groovy: "jenkinsfile",
  python: "sconstruct sconscript wscript buck",
  bash: ".bashrc .bash_profile .profile .zshrc .zshenv .envrc",
  toml: "pipfile cargo.lock poetry.lock uv.lock",
  json: ".babelrc .eslintrc .prettierrc .swcrc .jshintrc composer.lock",
  yaml: ".clang-format .clang-tidy .yamllint",
  ini: ".editorconfig .gitconfig .gitmodules .npmrc .pylintrc .flake8 .coveragerc",
  ignore: ".gitignore .dockerignore .npmignore .craignore .eslintignore .prettierignore .gitattributes",
  go: "go.mod go.work",
  markdown: "readme changelog",
  text: "license licence copying notice authors contributors codeowners version",
});

/** Fence names where they differ from the language's id; Markdown renderers know these. */
const FENCE_NAMES: ReadonlyMap<string, string> = new Map([
  ["text", ""],
  ["ignore", ""],
  ["rst", "rst"],
  ["bash", "bash"],
  ["objc", "objectivec"],
  ["batch", "bat"],
  ["terraform", "hcl"],
  ["protobuf", "proto"],
]);

const PROSE: ReadonlySet<string> = new Set(["markdown", "rst", "asciidoc", "org", "text", "tex"]);

/** Languages that hold data or settings, not code. */
const DATA: ReadonlySet<string> = new Set(["json", "yaml", "toml", "ini", "xml", "csv", "diff", "ignore"]);

/** The language id of a path; "text" when nothing is known. */
export function languageOf(path: string): string {
  const name = baseName(path).toLowerCase();
  const byName = BY_NAME.get(name);
  if (byName !== undefined) return byName;
  if (/^(docker|container)file[._-]/.test(name)) return "dockerfile";
  const dot = name.lastIndexOf(".");
  return (dot >= 0 ? BY_EXTENSION.get(name.slice(dot + 1)) : undefined) ?? "text";
}

/** The info string of a Markdown code fence; empty for plain text. */
export function fenceName(language: string): string {
  return FENCE_NAMES.get(language) ?? language;
}

/** Whether a language is written for people to read: Markdown, reStructuredText, plain text and the like. */
export function isProse(language: string): boolean {
  return PROSE.has(language);
}

/** Whether a language is program text, markup and style sheets included: neither prose nor data. */
export function isCode(language: string): boolean {
  return !PROSE.has(language) && !DATA.has(language);
}

/**
 * Whether the symbols of a language are an outline: headings, keys and selectors, which are places in a text and
 * nothing that code uses.
 */
export function isOutlined(language: string): boolean {
  return !isCode(language) || language === "css";
}

/** Every language id that `languageOf` can answer, sorted. */
export const LANGUAGES: readonly string[] = [...new Set([...BY_EXTENSION.values(), ...BY_NAME.values()])].toSorted();

/**
 * A test, or what only tests use (fixtures, mocks). The patterns are the ones that the
 * ranking was measured with on real tasks; they are tied to whole path segments and name parts, so
 * `latest.py`, `contest.py` and `attestation/` are none.
 */
export function isTestPath(path: string): boolean {
  if (TEST_FILE.test(path)) return true;
  return TEST_FOLDER.test(path) && !TEST_TOOL.test(path);
}

/** The role of a path. */
export function fileRole(path: string): FileRole {
  if (DECLARATION_FILE.test(path)) return "declaration";
  if (isTestPath(path)) return "test";
  if (CONFIG_FILE.test(path)) return "config";
  const language = languageOf(path);
  if (isProse(language)) return "docs";
  if (EXAMPLE_FOLDER.test(path) || EXAMPLE_FILE.test(path)) return "example";
  return DATA.has(language) ? "config" : "source";
}

const TEST_FOLDER =
  /(^|\/)(tests?|testing|__tests?__|specs?|e2e|test[-_]?(utils?|data|support|helpers?|cases?|fixtures?|app|suite)|testdata|fixtures?|__fixtures__|__mocks__|mocks|__snapshots__|cypress|testify|integration[-_]?tests?|tests?[-_][a-z0-9_]+)\//i;
const TEST_FILE =
  /(^|\/)(test_[^/]*\.pyx?|[^/]*_tests?\.(py|go|rs|c|cc|cpp|rb|js|ts|exs)|conftest\.py|tests?\.(py|js|ts|rs|rb|c)|[^/]*[.-](test|spec|test-d|tests|e2e|stories|story)\.[cm]?[jt]sx?|[^/]*Tests?\.(java|kt|php|cs|swift)|[^/]*TestCase\.(java|php)|[^/]*_spec\.rb|[^/]*IT\.java)$/;
/** A package that is a tool for testing: its name says test, its files are source. */
const TEST_TOOL = /^packages\/[^/]*test-utils\/src\//;
const DECLARATION_FILE = /\.d\.[cm]?ts$|\.pyi$/;
const EXAMPLE_FOLDER =
  /(^|\/)(_*(perf|performance)([-_]?tests?)?_*|examples?|docs?|doc_src|samples?|demos?|tutorials?|playgrounds?|website|www|site|scripts?|tools|([a-z]+_)?bench(es|marks?)?|galleries|templates?|starters?|integration|sandbox)\//i;
/** Benchmarks run code like tests do, but check nothing. */
const EXAMPLE_FILE = /[.-]bench\.[cm]?[jt]sx?$|_bench\.(rs|py)$/;
const CONFIG_FILE =
  /(^|\/)([\w.-]*\.config\.[cm]?[jt]s|setup\.py|conf\.py|[Gg]ulpfile\.js|Gruntfile\.js|\.eslintrc\.[cm]?js|rollup[\w.-]*\.js|webpack[\w.-]*\.js|build\.rs|build\.js|versioneer\.py|karma[\w.-]*\.js)$/;

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function table(languages: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(languages).flatMap(([language, keys]) => keys.split(" ").map((key) => [key, language] as const)),
  );
}
