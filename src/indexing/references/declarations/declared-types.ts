/**
 * Reads declared types of parameters, variables and results from one-line signatures.
 *
 * This reads text and is not a type checker: it returns the first class-like name of an annotation or constructor call
 * (`app = Flask(...)`, `x: Optional["Flask"]`, `final Cart cart`) without wrappers. Every function is linear in the signature,
 * which has at most 400 characters.
 */
import { isTest } from "../../../languages/cpp/tests.ts";
import type { NameRules } from "../../../languages/name-rules.ts";
import type { OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { type MadeChain, madeBy } from "./made-values.ts";
import {
  afterArrow,
  afterComma,
  depthAt,
  indexOfDeclared,
  indexOfWord,
  isWord,
  lastWord,
  splitAtCommas,
  upToComma,
} from "./signature-text.ts";

/** Names for a missing value. */
const EMPTY_TYPES: ReadonlySet<string> = new Set(["None", "null", "undefined", "void", "NoneType"]);

/** A leading dot makes a path absolute. */
const NAME = /\.?[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*/gu;
const GO_RECEIVER = /^func\s*\(\s*([\p{L}_][\p{L}\p{N}_]*)\s/u;
/** `function f(uint a) view returns (Cart memory cart)`, with one result. */
const SOLIDITY_RESULT = /^function\b.*\)[^()]*\breturns\s*\(([^(),]*)\)/s;
const REST = /(?:\*\*?|\.\.\.)$/;
const GO_RESULT_NAME = /^[\p{L}_][\p{L}\p{N}_]*\s+(?=[\p{L}_*])/u;

/** What is read of the text of a type: by default its name, for a type that holds a value the text itself. */
type Read = (text: string, rules: NameRules) => string | null;

/** The first dotted name of a type that is neither a wrapper nor a missing value, or null. */
export function typeName(text: string, rules: NameRules): string | null {
  const type = rules.nominal ? plainType(text) : text;
  for (const { 0: name, index } of type?.slice(0, 120).matchAll(NAME) ?? []) {
    const last = name.slice(name.lastIndexOf(".") + 1);
    // The signature was cut off inside this name.
    if (!rules.wrappers.has(last) && !EMPTY_TYPES.has(last)) return type?.[index + name.length] === "…" ? null : name;
  }
  return null;
}

/** The type without annotations, lifetimes, references and pointers; null for lists, functions and tuples, which have their own members. */
function plainType(text: string): string | null {
  const type = text
    .replace(/@[\w.]+(?:\([^()]*\))?|'\w+\b(?!')/g, " ")
    .replace(/::|\\/g, ".")
    .replace(/^[\s&*?]+(?=[^\s&*?])(?:extends\s+)?/, "")
    // `(any Cart)?`
    .replace(/^\((?=(?:any|some)\s[^(),>]*\))/, "");
  return /^(?:[[({]|map\b|chan\b|func\b|<-)|\[\s*\]|\.\.\.|=>|->/.test(type) || type === "" ? null : type;
}

/** The type of a parameter: undefined if there is no such parameter, null if it has no type. */
export function parameterType(
  signature: string,
  name: string,
  rules: NameRules,
  read: Read = typeName,
): string | null | undefined {
  if (rules.declares === "name type") return goParameter(signature, name, rules);
  const open = signature.indexOf("(");
  if (open < 0 || name === "" || (rules.parts === "included" && isTest(signature))) return undefined;
  for (let at = signature.indexOf(name, open + 1); at >= 0; at = signature.indexOf(name, at + name.length)) {
    if (isWord(signature[at - 1]) || isWord(signature[at + name.length])) continue;
    const after = signature.slice(at + name.length).trimStart();
    if (rules.declares === "type name") {
      // `void open() throws Closed`
      if (depthAt(signature, at) === 0) continue;
      const before = afterComma(signature.slice(open + 1, at));
      if (before.trim() === "" && isTypeAlone(signature, name, rules)) continue;
      // `Type... names` and `Type names[]` are lists.
      // The last of the named parameters of Dart stands before a bracket.
      const isLast = /^[}\]]/.test(after) && before.trim() !== "";
      if ((isLast || /^[,)=]|^$/.test(after)) && !/[.=({]\s*$/.test(before)) return read(before, rules);
      if (/^\[/.test(after)) return null;
      continue;
    }
    // `*args`, `...args`, but not `x: *Cart` and `x: a.Cart`.
    const before = signature.slice(open, at).trimEnd().replace(REST, "").trimEnd();
    const isFirst =
      "(,{[".includes(before.at(-1) ?? "") || (rules.nominal && /[(,]\s*(?:[\w@]+\s+)+$/.test(`${before} `));
    if (!isFirst || !/^[:,)=?}]/.test(after)) continue;
    const type = /^\??\s*:(.*)$/s.exec(after)?.[1];
    if (type === undefined && isTypeAlone(signature, name, rules)) continue;
    return type === undefined ? null : read(upToComma(type), rules);
  }
  return undefined;
}

/** Whether a name without a type is that of a type: `returns (Cart)`, `Cart[] storage all`, `-> (Cart, Item?)`. The parameters of macros have none. */
const isTypeAlone = (signature: string, name: string, { nominal }: NameRules): boolean =>
  nominal && /^\p{Lu}/u.test(name) && !signature.startsWith("#");

/** The type of a variable or property: its annotation, or what is called to make its value; or null. */
export function declaredType(signature: string, name: string, rules: NameRules, read: Read = typeName): string | null {
  const at = rules.declares === "type name" ? indexOfDeclared(signature, name) : indexOfWord(signature, name);
  const rest = at < 0 ? "" : signature.slice(at + name.length).trimStart();
  if (rules.declares === "name: type") {
    const annotation = /^[?!]?\s*:([^=]*)/.exec(rest)?.[1];
    if (annotation !== undefined) return read(annotation, rules);
  } else {
    const text =
      rules.declares === "type name" ? signature.slice(0, Math.max(at, 0)) : (/^[^=`]*/.exec(rest)?.[0] ?? "");
    const isList = rules.declares === "type name" && rest.startsWith("[");
    const type = isList ? null : read(text.replace(/^\s*(?:var|val|let)\b/, ""), rules);
    if (type !== null || isList || !rest.includes("=")) return type;
  }
  const made = madeBy(valueIn(rest, rules), rules);
  return made !== null && "path" in made ? made.path : null;
}

const valueIn = (afterName: string, { nominal }: NameRules): string =>
  nominal ? afterName.replace(/^[^=]*(?==)/, "") : afterName;

/** The chain of calls that makes the value of a variable or property whose type is not declared; "unknown" if the signature is too short. */
export function madeChain(fact: OutlineSymbol, rules: NameRules): MadeChain | "unknown" | null {
  const { kind, signature, name } = fact;
  const at = kind === "property" || kind === "variable" ? indexOfWord(signature, name) : -1;
  if (at < 0 || declaredTypeName(fact, rules) !== null) return null;
  const made = madeBy(valueIn(signature.slice(at + name.length).trimStart(), rules), rules);
  return made !== null && "chain" in made ? made.chain : null;
}

/** The declared return type of a function, or null. */
export function returnType(signature: string, name: string, rules: NameRules, read: Read = typeName): string | null {
  if (rules.declares === "name type") return goResult(signature, rules);
  const arrow =
    afterArrow(signature) ??
    (isTypedAfter(signature, rules) ? (afterColon(signature) ?? withoutList(signature, name, rules)) : undefined);
  // PHP's word for what `Self` is elsewhere
  if (arrow !== undefined) return /^\??static\s*$/.test(arrow) ? "Self" : read(arrow, rules);
  if (rules.declares === "name: type") return zigResult(signature, rules);
  if (rules.declares !== "type name") return null;
  const returned = SOLIDITY_RESULT.exec(signature)?.[1];
  if (returned !== undefined) return typeName(returned, rules);
  const at = signature.search(new RegExp(`(?:^|[^\\p{L}\\p{N}_$])${RegExp.escape(name)}\\s*\\(`, "u"));
  // The owner of an external member (`Cart Shop::open(`) is not part of the type.
  const getter = at < 0 ? /^(.*\S)\s+get\s+[\p{L}_$]/su.exec(signature)?.[1] : undefined;
  if (getter !== undefined) return typeName(lastWord(getter), rules);
  const before = at < 0 ? "" : signature.slice(0, at + 1).replace(/(?:[\p{L}\p{N}_$]+(?:<[^<>]*>)?::)+~?$/u, "");
  const type = lastWord(before);
  // `public function open()` of PHP has no type.
  return type === "" || type === "function" ? null : read(type, rules);
}

/** `pub fn open(path: []const u8) Error!*Cart`. In Rust nothing but conditions follows the parameters without an arrow. */
function zigResult(signature: string, rules: NameRules): string | null {
  const result = /^(?:[\w"]+ )*fn\b.*\)\s*(?!where\b)([^()]+)$/s.exec(signature)?.[1];
  return result === undefined ? null : typeName(result.slice(result.lastIndexOf("!") + 1), rules);
}

/** The target of a type alias (`type A = B`, `using A = B`, `type A B`, `typedef B A`), or null. */
export function aliasedType(signature: string, name: string, rules: NameRules): string | null {
  const value = /=\s*(.+)$/s.exec(signature)?.[1];
  if (value !== undefined) return typeName(value, rules);
  return rules.declares === "name: type" ? null : declaredType(signature.replace(/^\s*typedef\b/, ""), name, rules);
}

/** The name of the type that a symbol's signature declares, or null. */
export function declaredTypeName({ kind, signature, name }: OutlineSymbol, rules: NameRules): string | null {
  const isCallable = kind === "function" || kind === "method";
  return isCallable ? returnType(signature, name, rules) : declaredType(signature, name, rules);
}

/** The names of types that other files read in the signature of a symbol. */
export function typesRead(symbol: OutlineSymbol, rules: NameRules): readonly string[] {
  const { kind, signature, name } = symbol;
  const aliased = kind === "type_alias" ? aliasedType(signature, name, rules) : null;
  const chain = madeChain(symbol, rules);
  const made = chain === null || chain === "unknown" ? null : `${chain.qualifier}.${chain.name}`;
  return [declaredTypeName(symbol, rules), aliased, made].filter((type) => type !== null);
}

/** Languages that write `Type name` put results before the name, except PHP. */
const isTypedAfter = (signature: string, { declares }: NameRules): boolean =>
  declares === "name: type" || /^(?:\w+\s+)*function\b/.test(signature);

const afterColon = (signature: string): string | undefined => /\)\s*:\s*([^{]+?)(?:=>|\{|$)/s.exec(signature)?.[1];

/** `def open: Cart`, as Scala writes a function without parameters. */
function withoutList(signature: string, name: string, { nominal }: NameRules): string | undefined {
  const at = nominal ? indexOfWord(signature, name) : -1;
  return at < 0 ? undefined : /^\s*:([^={]+)/.exec(signature.slice(at + name.length))?.[1];
}

/** The name of a method's receiver (`s` of `func (s *Server) Run()`), or null. */
export const receiverName = (signature: string): string | null => GO_RECEIVER.exec(signature)?.[1] ?? null;

/** `func (s *Server) Run(a, b *Cart, c int) (bill *Bill, err error)`: receiver, parameters and results, each `name type`. */
function goParameter(signature: string, name: string, rules: NameRules): string | null | undefined {
  for (let at = indexOfWord(signature, name); at >= 0; at = indexOfWord(signature, name, at + name.length)) {
    if (!/[(,]\s*$/.test(signature.slice(Math.max(0, at - 8), at)) || depthAt(signature, at) !== 1) continue;
    const rest = signature.slice(at + name.length);
    // `a, b *Cart`: the type follows the last name.
    const type = /^(?:\s*,\s*[\p{L}\p{N}_]+)*\s+([^\s,)].*)$/su.exec(rest)?.[1];
    if (type !== undefined) return typeName(upToComma(type), rules);
  }
  return undefined;
}

function goResult(signature: string, rules: NameRules): string | null {
  const { lists, rest } = goLists(signature);
  const results = lists[signature.startsWith("func (") ? 2 : 1] ?? rest;
  const first = splitAtCommas(results)[0]?.trim() ?? "";
  const named = GO_RESULT_NAME.exec(first)?.[0] ?? "";
  return /^(?:func|chan|map|struct|interface)\b/.test(first) ? null : typeName(first.slice(named.length), rules);
}

/** The bracketed lists of a Go function in order, and the text after the parameters if it is not a list. */
function goLists(signature: string): { readonly lists: readonly string[]; readonly rest: string } {
  const lists: string[] = [];
  let [depth, start, end] = [0, 0, 0];
  for (let at = 0; at < signature.length && lists.length < 3; at++) {
    const char = signature.charAt(at);
    if (char === "(" && depth++ === 0) start = at + 1;
    else if (char === ")" && --depth === 0) {
      lists.push(signature.slice(start, at));
      end = at + 1;
    }
  }
  return { lists, rest: signature.slice(end).trim() };
}
