/** Languages that cra recognizes and highlights but does not parse: one row each. */
import { BASH } from "./bash/language.ts";
import { C } from "./c/language.ts";
import {
  BRACES,
  CHARACTER,
  comment,
  DASHED,
  DOUBLE,
  HASH,
  type Highlighting,
  MARKUP,
  SETTING_WORDS,
  SHELL,
  SLASHES,
  TRIPLE,
  TYPED,
} from "./highlighting.ts";
import { JAVA } from "./java/language.ts";
import type { Language } from "./language.ts";
import { LUA } from "./lua/language.ts";
import { PYTHON } from "./python/language.ts";
import { ZIG } from "./zig/language.ts";

const SCRIPTING: Highlighting = {
  ...SHELL,
  keywords: `${LUA.highlighting.keywords} my our sub use package foreach next last TRUE FALSE NULL unless`,
};
const BUILD_FILES: Highlighting = {
  ...SHELL,
  keywords:
    "add_executable add_library else elseif endif endfunction foreach function if include set define endef ifeq",
};
const SETTINGS: Highlighting = { ...SHELL, keywords: SETTING_WORDS };
const ML: Highlighting = {
  comments: TYPED.comments,
  strings: TYPED.strings,
  blocks: [comment("(*", "*)")],
  keywords: `and as assert begin class constraint do done downto else end exception external false for fun function
    functor if in include inherit initializer lazy let match member method module mutable namespace new nonrec object
    of open or private rec sig static struct then to true try type use val virtual when while with yield`,
};
const LISPS: Highlighting = {
  note: ";",
  comments: [";.*"],
  strings: [DOUBLE],
  blocks: [],
  keywords: `and case cond cons def defclass defgeneric defmacro defmethod defmulti defn defpackage defparameter
    defprotocol defrecord defstruct deftype defun defvar do else fn for if lambda let letfn loop nil not ns or quote
    recur require set setf true false unless when while`,
};
const PERCENT: Highlighting = {
  note: "%",
  comments: ["%.*"],
  strings: [DOUBLE],
  blocks: [],
  keywords: "after and andalso begin case catch cond div end fun if let not of or orelse receive rem try when xor",
};
const SHEETS: Highlighting = {
  ...BRACES,
  keywords: "include mixin extend if else each function return use forward important media",
};
const TAGS: Highlighting = { ...MARKUP, keywords: "" };
const SCHEMAS: Highlighting = {
  ...BRACES,
  comments: [SLASHES, HASH],
  keywords: `bool enum extend extends false float fragment implements import input int interface message mutation on
    oneof option optional package query repeated required returns rpc scalar schema service string struct subscription
    syntax true type union`,
};
const BLOCKS: Highlighting = {
  ...BRACES,
  note: "#",
  comments: [HASH, SLASHES],
  keywords: `data else false for if in inherit let locals module null output provider rec resource terraform then true
    variable with`,
};

export const OTHER_LANGUAGES = {
  asciidoc: { endings: "adoc", rareEndings: "asciidoc asc", content: "prose" },
  asm: { rareEndings: "s asm", highlighting: LISPS },
  batch: { endings: "bat", rareEndings: "cmd", fence: "bat", stackFrames: "other" },
  clojure: { endings: "clj cljs", rareEndings: "cljc edn", stackFrames: "other", highlighting: LISPS },
  cmake: { endings: "cmake", fileNames: "cmakelists.txt", highlighting: BUILD_FILES },
  crystal: { rareEndings: "cr", highlighting: { ...ZIG.highlighting, note: "#" } },
  csv: { endings: "csv tsv", content: "data" },
  diff: { rareEndings: "diff patch", content: "data" },
  dockerfile: {
    rareEndings: "dockerfile",
    fileNames: "dockerfile containerfile",
    highlighting: {
      ...SHELL,
      keywords: `FROM RUN CMD LABEL EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD STOPSIGNAL
        HEALTHCHECK SHELL AS`,
    },
  },
  erlang: { endings: "erl", rareEndings: "hrl", stackFrames: "other", highlighting: PERCENT },
  fortran: { rareEndings: "f f77 f90 f95 f03 f08" },
  fsharp: { endings: "fs", rareEndings: "fsi fsx", stackFrames: "other", highlighting: ML },
  glsl: { rareEndings: "glsl vert frag comp hlsl wgsl metal", highlighting: C.highlighting },
  graphql: { endings: "graphql gql", highlighting: { ...SCHEMAS, note: "#" } },
  groovy: {
    endings: "groovy",
    rareEndings: "gradle",
    fileNames: "jenkinsfile",
    stackFrames: "java",
    highlighting: JAVA.highlighting,
  },
  handlebars: { endings: "hbs", rareEndings: "handlebars mustache", highlighting: TAGS },
  haskell: {
    endings: "hs",
    rareEndings: "lhs",
    stackFrames: "other",
    highlighting: {
      ...DASHED,
      strings: [DOUBLE, CHARACTER],
      blocks: [comment("{-", "-}")],
      keywords: `as case class data deriving do else family forall foreign hiding if import in infix infixl infixr
        instance let mdo module newtype of proc qualified rec then type where`,
    },
  },
  html: { endings: "html htm ejs", rareEndings: "xhtml", highlighting: TAGS },
  ignore: {
    fileNames: ".gitignore .dockerignore .npmignore .craignore .eslintignore .prettierignore .gitattributes",
    fence: "",
    content: "data",
    highlighting: SETTINGS,
  },
  ini: {
    endings: "ini cfg conf properties",
    rareEndings: "editorconfig",
    fileNames: ".editorconfig .gitconfig .gitmodules .npmrc .pylintrc .flake8 .coveragerc",
    content: "data",
    highlighting: SETTINGS,
  },
  jinja: { endings: "j2 jinja", rareEndings: "jinja2", highlighting: TAGS },
  julia: {
    endings: "jl",
    stackFrames: "other",
    highlighting: {
      ...TRIPLE,
      keywords: `${LUA.highlighting.keywords} ${PYTHON.highlighting.keywords} abstract baremodule begin const mutable struct using quote`,
    },
  },
  less: { endings: "less", highlighting: SHEETS },
  lisp: { endings: "el", rareEndings: "lisp cl scm rkt", stackFrames: "other", highlighting: LISPS },
  makefile: {
    endings: "mk",
    rareEndings: "mak",
    fileNames: "makefile gnumakefile kbuild justfile",
    highlighting: BUILD_FILES,
  },
  nim: { endings: "nim", stackFrames: "other", highlighting: { ...ZIG.highlighting, note: "#" } },
  nix: { rareEndings: "nix", highlighting: BLOCKS },
  objc: { endings: "m mm", fence: "objectivec", stackFrames: "other", highlighting: C.highlighting },
  ocaml: { endings: "ml mli", stackFrames: "other", highlighting: ML },
  org: { rareEndings: "org", content: "prose" },
  perl: {
    endings: "pl pm",
    rareEndings: "t",
    stackFrames: "other",
    roles: { test: String.raw`[^/]*\.t` },
    highlighting: SCRIPTING,
  },
  powershell: {
    endings: "ps1",
    rareEndings: "psm1 psd1",
    stackFrames: "other",
    roles: { test: String.raw`[^/]*\.[Tt]ests\.ps1` },
    highlighting: BASH.highlighting,
  },
  protobuf: { endings: "proto", fence: "proto", stackFrames: "other", highlighting: SCHEMAS },
  r: { endings: "r", stackFrames: "other", highlighting: SCRIPTING },
  rst: { endings: "rst", rareEndings: "rest", content: "prose" },
  sass: { endings: "sass", highlighting: SHEETS },
  scss: { endings: "scss", highlighting: SHEETS },
  sql: {
    endings: "sql",
    rareEndings: "psql",
    highlighting: {
      ...DASHED,
      blocks: [comment("/*", "*/")],
      foldsCase: true,
      keywords: `add all alter and as asc begin between by case check column commit conflict constraint create cross
        current database default delete desc distinct drop else end exists explain foreign from full function group
        having if in index inner insert into is join key left like limit not null offset on or order outer over
        partition primary procedure recursive references replace returning right rollback row select set table then
        transaction trigger union unique update using values view when where with`,
    },
  },
  terraform: { endings: "tf", rareEndings: "tfvars hcl", fence: "hcl", highlighting: BLOCKS },
  tex: { rareEndings: "tex bib sty cls", content: "prose", highlighting: PERCENT },
  text: {
    endings: "txt",
    rareEndings: "text log",
    fileNames: "license licence copying notice authors contributors codeowners version",
    fence: "",
    content: "prose",
  },
  thrift: { rareEndings: "thrift", highlighting: SCHEMAS },
  v: { rareEndings: "v", highlighting: ZIG.highlighting },
  vb: { endings: "vb", stackFrames: "other" },
  verilog: { rareEndings: "sv svh vh", highlighting: C.highlighting },
  vim: { rareEndings: "vim" },
  xml: {
    endings: "xml",
    rareEndings: "xsd xsl xslt svg plist csproj vbproj fsproj props targets resx",
    content: "data",
    highlighting: TAGS,
  },
} satisfies Readonly<Record<string, Language>>;
