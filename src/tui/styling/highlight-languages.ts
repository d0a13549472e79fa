/**
 * The tables of the highlighter: comments, strings and keywords of each language.
 *
 * A string ends on its line unless it is a block. Every pattern must stay linear.
 */
import type { Role } from "./theme.ts";

/** A comment or string of several lines. */
type Block = { readonly begin: string; readonly end: string; readonly role: Role };

export type Family = {
  readonly blocks: readonly Block[];
  /** Sticky; groups `comment`, `string`, `number` and `word`. */
  readonly pattern: RegExp;
  readonly keywords: ReadonlySet<string>;
  readonly foldsCase: boolean;
};

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

const comment = (begin: string, end: string): Block => ({ begin, end, role: "code.comment" });
const string = (begin: string, end = begin): Block => ({ begin, end, role: "code.string" });

const SLASHES = "//.*";
const HASH = "#.*";
/** A comment that starts a line or follows a space, for languages where `#` has other meanings. */
const HASH_APART = "(?<=^|[\\s;])#.*";

const DOUBLE = String.raw`"(?:[^"\\]|\\.)*"`;
const SINGLE = String.raw`'(?:[^'\\]|\\.)*'`;
/** One character, so that lifetimes, quoted symbols and type variables do not match. */
const CHARACTER = String.raw`'(?:[^'\\]|\\(?:.|u\{[0-9a-fA-F]*\}|x[0-9a-fA-F]{2}))'`;
const NUMBER = String.raw`\b(?:0[xXbBoO][0-9a-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\w*`;
const WORD = String.raw`[\p{L}_$@][\p{L}\p{M}\p{N}_$]*`;
/** Spaces and punctuation that cannot start a token. */
const OTHER = String.raw`[\s()\[\]{},.:=+&|<>!?^~*%]+`;

/** The lexical syntax of a family. */
type Syntax = {
  readonly comments: readonly string[];
  readonly strings: readonly string[];
  readonly blocks: readonly Block[];
  readonly foldsCase?: true;
};

function family({ comments, strings, blocks, foldsCase }: Syntax, keywords: string): Family {
  const groups = [
    ...(comments.length > 0 ? [`(?<comment>${comments.join("|")})`] : []),
    ...(strings.length > 0 ? [`(?<string>${strings.join("|")})`] : []),
    `(?<number>${NUMBER})`,
    `(?<word>${WORD})`,
    // `*` and `%` can start a block or a comment here, so they match one at a time.
    blocks.length > 0 || comments.length > 0 ? String.raw`[\s()\[\],.:=+&|>!?^~]` : OTHER,
  ];
  return {
    blocks,
    pattern: new RegExp(groups.join("|"), "uy"),
    keywords: new Set(words(keywords)),
    foldsCase: foldsCase ?? false,
  };
}

const BRACES: Syntax = { comments: [SLASHES], strings: [DOUBLE, SINGLE], blocks: [comment("/*", "*/")] };
const SCRIPT: Syntax = { ...BRACES, blocks: [...BRACES.blocks, string("`")] };
const TYPED: Syntax = { ...BRACES, strings: [DOUBLE, CHARACTER] };
const TEXTUAL: Syntax = { ...TYPED, blocks: [...TYPED.blocks, string('"""')] };
const HASHED: Syntax = { comments: [HASH], strings: [DOUBLE, SINGLE], blocks: [] };
const SHELL: Syntax = { ...HASHED, comments: [HASH_APART] };
const PYTHON: Syntax = { ...HASHED, blocks: [string('"""'), string("'''")] };
const DASHED: Syntax = { comments: ["--.*"], strings: [DOUBLE, SINGLE], blocks: [] };
const LISP: Syntax = { comments: [";.*"], strings: [DOUBLE], blocks: [] };
const PERCENT: Syntax = { comments: ["%.*"], strings: [DOUBLE], blocks: [] };
const MARKUP: Syntax = { comments: [], strings: [DOUBLE, SINGLE], blocks: [comment("<!--", "-->")] };
const STYLE: Syntax = { comments: [], strings: [DOUBLE, SINGLE], blocks: [comment("/*", "*/")] };

const JAVASCRIPT = `abstract any as async await boolean break case catch class const continue debugger declare default
  delete do else enum export extends false finally for from function get if implements import in infer instanceof
  interface is keyof let namespace never new null number object of override private protected public readonly return
  satisfies set static string super switch symbol this throw true try type typeof undefined unknown var void while
  with yield`;
const C = `alignas alignof auto bool break case catch char class concept const consteval constexpr const_cast continue
  decltype default define delete do double dynamic_cast elif else endif enum explicit export extern false final float
  for friend goto if ifdef ifndef include inline int long mutable namespace new noexcept nullptr NULL operator override
  pragma private protected public register reinterpret_cast requires return short signed sizeof static static_assert
  static_cast struct switch template this throw true try typedef typeid typename undef union unsigned using virtual
  void volatile while`;
const JAVA = `abstract as assert boolean break byte by case catch char class companion const constructor continue data def
  default do double else enum exports extends extension false final finally float for forSome fun given goto if implements
  implicit import in init inner instanceof int interface internal is it lateinit lazy long match module native new null
  object open operator out override package permits private protected public record reified return sealed short static
  strictfp super suspend switch synchronized then this throw throws trait transient true try type typealias val var
  volatile vararg when while with yield`;
const CSHARP = `abstract as async await base bool break byte case catch char checked class const continue decimal default
  delegate do double else enum event explicit extern false finally fixed float for foreach get goto if implicit in init
  int interface internal is lock long namespace new null object operator out override params private protected public
  readonly record ref required return sbyte sealed set short sizeof stackalloc static string struct switch this throw
  true try typeof uint ulong unchecked unsafe ushort using value var virtual void volatile when where while with yield`;
const GO = `any bool break byte case chan const continue default defer else error fallthrough false float32 float64 for func
  go goto if import int int32 int64 interface iota map nil package range return rune select string struct switch true
  type uint uint32 uint64 var`;
const RUST = `as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i16 i32 i64 i8
  if impl in isize let loop match mod move mut pub ref return self Self static str struct super trait true type u16 u32
  u64 u8 union unsafe use usize where while`;
const SWIFT = `actor any as associatedtype async await break case catch class continue convenience default defer deinit do
  dynamic else enum extension fallthrough false fileprivate final for func get guard if import in indirect infix init
  inout internal is lazy let mutating nil nonisolated nonmutating open operator optional override postfix precedencegroup
  prefix private protocol public repeat required rethrows return self Self set some static struct subscript super switch
  throw throws true try typealias unowned var weak where while`;
const DART = `abstract as assert async await base break case catch class const continue covariant default deferred do
  dynamic else enum export extends extension external factory false final finally for get hide if implements import in
  interface is late library mixin new null of on operator part required rethrow return sealed set show static super
  switch sync this throw true try typedef var void when while with yield`;
const PHP = `abstract and array as break callable case catch class clone const continue declare default do echo else elseif
  empty enum extends false final finally fn for foreach function global goto if implements include include_once
  instanceof insteadof interface isset list match namespace new null or print private protected public readonly require
  require_once return self static switch this throw trait true try unset use var while xor yield`;
const PYTHON_WORDS = `and as assert async await break case class continue def del elif else except False finally for from
  global if import in is lambda match None nonlocal not or pass raise return self True try type while with yield`;
const RUBY = `alias and begin BEGIN break case class def defined do else elsif end END ensure extend false for if in include
  module next nil not or private protected public raise redo rescue retry return self super then true undef unless until
  when while yield`;
const ELIXIR = `after and alias case catch cond def defdelegate defexception defguard defimpl defmacro defmacrop defmodule
  defoverridable defp defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require
  rescue reraise super throw true try unless unquote use when with`;
const SHELL_WORDS = `case declare do done elif else esac export fi for function if in local readonly return select set shift
  source then time trap typeset unset until while`;
const LUA = `and break do else elseif end false for function goto if in local nil not or repeat return self then true until
  while`;
const HASKELL = `as case class data deriving do else family forall foreign hiding if import in infix infixl infixr instance
  let mdo module newtype of proc qualified rec then type where`;
const OCAML = `and as assert begin class constraint do done downto else end exception external false for fun function
  functor if in include inherit initializer lazy let match member method module mutable namespace new nonrec object of
  open or private rec sig static struct then to true try type use val virtual when while with yield`;
const SQL = `add all alter and as asc begin between by case check column commit conflict constraint create cross current
  database default delete desc distinct drop else end exists explain foreign from full function group having if in index
  inner insert into is join key left like limit not null offset on or order outer over partition primary procedure
  recursive references replace returning right rollback row select set table then transaction trigger union unique
  update using values view when where with`;
const LISPS = `and case cond cons def defclass defgeneric defmacro defmethod defmulti defn defpackage defparameter defprotocol
  defrecord defstruct deftype defun defvar do else fn for if lambda let letfn loop nil not ns or quote recur require set
  setf true false unless when while`;
const ERLANG = `after and andalso begin case catch cond div end fun if let not of or orelse receive rem try when xor`;
const ZIG = `align and anyerror anytype asm async await bool break catch comptime const continue defer else enum errdefer
  error export extern false fn for if inline noalias null opaque or orelse packed pub return struct suspend switch test
  threadlocal true try type undefined union unreachable usingnamespace usize u8 u16 u32 u64 i32 i64 var void volatile
  while`;
const SETTINGS = "true false null yes no on off";
const BUILD =
  "add_executable add_library else elseif endif endfunction foreach function if include set define endef ifeq";
const DOCKER = `FROM RUN CMD LABEL EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD STOPSIGNAL HEALTHCHECK
  SHELL AS`;
const SCHEMA = `bool enum extend extends false float fragment implements import input int interface message mutation on oneof
  option optional package query repeated required returns rpc scalar schema service string struct subscription syntax
  true type union`;
const BLOCKS = `data else false for if in inherit let locals module null output provider rec resource terraform then true
  variable with`;

/** Languages with their syntax and keywords. */
const ROWS: readonly (readonly [languages: string, syntax: Syntax, keywords: string])[] = [
  ["typescript tsx javascript vue svelte astro", SCRIPT, JAVASCRIPT],
  ["go", { ...TYPED, blocks: [...TYPED.blocks, string("`")] }, GO],
  ["rust", TYPED, RUST],
  ["zig nim v crystal", TYPED, ZIG],
  ["c cpp objc glsl solidity verilog", BRACES, C],
  ["java kotlin scala groovy", TEXTUAL, JAVA],
  ["csharp", TEXTUAL, CSHARP],
  ["swift", TEXTUAL, SWIFT],
  ["dart", BRACES, DART],
  ["php", { ...BRACES, comments: [SLASHES, "#(?!\\[).*"] }, PHP],
  ["python", PYTHON, PYTHON_WORDS],
  ["ruby", HASHED, RUBY],
  ["elixir", { ...HASHED, blocks: [string('"""')] }, ELIXIR],
  ["julia", PYTHON, `${LUA} ${PYTHON_WORDS} abstract baremodule begin const mutable struct using quote`],
  ["r perl", SHELL, `${LUA} my our sub use package foreach next last TRUE FALSE NULL unless`],
  ["bash powershell", SHELL, SHELL_WORDS],
  ["makefile cmake", SHELL, BUILD],
  ["dockerfile", SHELL, DOCKER],
  ["yaml toml ini ignore", SHELL, SETTINGS],
  ["json", BRACES, SETTINGS],
  ["lua", { ...DASHED, blocks: [comment("--[[", "]]"), string("[[", "]]")] }, LUA],
  ["haskell", { ...DASHED, strings: [DOUBLE, CHARACTER], blocks: [comment("{-", "-}")] }, HASKELL],
  ["sql", { ...DASHED, blocks: [comment("/*", "*/")], foldsCase: true }, SQL],
  ["ocaml fsharp", { ...TYPED, blocks: [comment("(*", "*)")] }, OCAML],
  ["clojure lisp asm", LISP, LISPS],
  ["erlang tex", PERCENT, ERLANG],
  ["css", STYLE, "important media import supports font-face keyframes"],
  ["scss sass less", BRACES, "include mixin extend if else each function return use forward important media"],
  ["html xml jinja handlebars", MARKUP, ""],
  ["graphql protobuf thrift", { ...BRACES, comments: [SLASHES, HASH] }, SCHEMA],
  ["terraform nix", { ...BRACES, comments: [HASH, SLASHES] }, BLOCKS],
];

const FAMILIES: ReadonlyMap<string, Family> = new Map(
  ROWS.flatMap(([languages, syntax, keywords]) => {
    const rules = family(syntax, keywords);
    return words(languages).map((language) => [language, rules] as const);
  }),
);

/** The highlighting rules of a language; null when it has none. */
export const familyOf = (language: string): Family | null => FAMILIES.get(language) ?? null;
