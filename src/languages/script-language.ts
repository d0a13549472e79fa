/**
 * The language of a script whose name says none: the program that its first line names, as in `#!/usr/bin/env -S node --test`.
 *
 * The same name can be a script of another language tomorrow, so only a content has such a language, not a path.
 */
import { nameOf } from "../text/repo-path.ts";
import { languageByName, languageOf } from "./languages.ts";

/** Systems read no more of the line. */
const LINE_CHARS_MAX = 256;

/** The programs that run scripts of a language, lower case and without a version. An index of another table is made anew. */
export const INTERPRETERS: Readonly<Record<string, string>> = {
  bash: "sh bash dash ash ksh mksh zsh fish bats",
  clojure: "bb clojure",
  crystal: "crystal",
  csharp: "dotnet",
  dart: "dart",
  elixir: "elixir",
  erlang: "escript",
  groovy: "groovy",
  haskell: "runhaskell runghc stack",
  javascript: "node nodejs zx",
  julia: "julia",
  kotlin: "kotlin",
  lisp: "sbcl guile racket emacs",
  lua: "lua luajit",
  makefile: "make gmake just",
  nim: "nim",
  ocaml: "ocaml",
  perl: "perl",
  php: "php",
  powershell: "pwsh powershell",
  python: "python pypy uv",
  r: "rscript",
  ruby: "ruby jruby rake",
  scala: "scala scala-cli",
  swift: "swift",
  typescript: "bun deno tsx ts-node",
};

const BY_INTERPRETER: ReadonlyMap<string, string> = new Map(
  Object.entries(INTERPRETERS).flatMap(([language, programs]) =>
    programs.split(" ").map((program) => [program, language] as const),
  ),
);

/** The language of a text; its name decides, if that says one. `head` is the text or its beginning. */
export const languageIn = (path: string, head: string): string => scriptLanguage(path, head) ?? languageOf(path);

/** The language that the first line of a text says; null if the name says it, or neither does. */
function scriptLanguage(path: string, head: string): string | null {
  if (!head.startsWith("#!") || languageByName(path) !== null) return null;
  const [line = ""] = head.slice(0, LINE_CHARS_MAX).split(/[\r\n]/, 1);
  return BY_INTERPRETER.get(interpreterIn(line.slice(2))) ?? null;
}

/** The same of bytes. */
export const scriptLanguageOf = (path: string, bytes: Uint8Array): string | null =>
  bytes[0] === 0x23 && bytes[1] === 0x21
    ? scriptLanguage(
        path,
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", 0, LINE_CHARS_MAX),
      )
    : null;

/** Whether some content at a path can be of a language. */
export const canBeOf = (path: string, language: string): boolean =>
  language === languageOf(path) || (languageByName(path) === null && Object.hasOwn(INTERPRETERS, language));

/** The name of the program, lower case and without its version: `python` of `/usr/bin/env -S PYTHONUTF8=1 python3.12 -u`. */
function interpreterIn(command: string): string {
  const [first = "", ...rest] = command.split(/[ \t]+/).filter((word) => word !== "");
  const program = nameOf(first) === "env" ? rest.map(afterSplit).find(isProgram) : first;
  return nameOf(program ?? "")
    .toLowerCase()
    .replace(/(?<![\d.])[\d.]+$/, "");
}

/** `env -Snode` and `env --split-string=node` are `env -S node`. */
const afterSplit = (word: string): string => word.replace(/^(?:-[a-z]*S|--split-string=)(?=.)/, "");
/** The words before it are options and variables of `env`. */
const isProgram = (word: string): boolean => !word.startsWith("-") && !word.includes("=");
