/** The name of a function as its source has it, from what a stack trace calls it. */

/** Longer qualified names are no names; their end is looked at. */
const NAME_CHARS_MAX = 1_000;

/** The last name of a qualified one, without what compilers add. Null for functions without a name. */
export function lastName(name: string): string | null {
  const plain = name
    .slice(-NAME_CHARS_MAX)
    .replace(/::h[0-9a-f]{16}$/, "")
    .replace(/\.<anonymous(?: closure>)?$/, "")
    // Of the functions that compilers make from a part of one: `<Add>d__3.MoveNext`, `Cart$add$1.invokeSuspend`.
    .replace(/<(\w{1,200})>[a-z]__[\w|]{0,200}(?:`\d{1,3})?(?:\.MoveNext)?$/, "$1")
    .replace(/^.*\$(\w{1,200})\$\d{1,9}\.invoke(?:Suspend)?$/, "$1")
    .replace(/(?:::\{\{closure\}\}|::\{closure#\d{1,9}\}|\.func\d+(?:\.\d+)*)+$/, "")
    // Type arguments: `load::<Vec<u8>>` of Rust, `Load[T]` of .NET, `Map[...]` of Go.
    .replace(/::<[^<>]*(?:<[^<>]*>[^<>]*)*>$/, "")
    .replace(/\[[^[\]]*\]$/, "")
    .replace(/^new\s+/, "");
  const last = (plain.split(/::|[.#/\s]/).at(-1) ?? "").replace(
    /^(?:lambda|access|\$anonfun)\$(\w{1,200})(?:\$\d{1,9})?$/,
    "$1",
  );
  return /^[\p{L}_$][\p{L}\p{N}_$?!]*$/u.test(last) ? last : null;
}

/** Scala's closures are classes named like their function; Kotlin adds `$module`, `$default` or a hash (`size-pVg5ArA`) to names. */
export const jvmName = (name: string): string =>
  name
    .slice(-NAME_CHARS_MAX)
    .replace(/^.*?\$\$anonfun\$(\w{1,200})\$\d.*$/, "$1")
    .replace(/-[\w-]{1,20}$/, "")
    .replace(/(?<=^|\.)(?!access\$)([A-Za-z]\w{0,200})\$\w{1,200}$/, "$1");

/** Without parameters, and the name of a property instead of those of its accessors. */
export const dotnetName = (name: string): string =>
  name.replace(/\(.*/, "").replace(/(?<=^|\.)[gs]et_(\w{1,200})$/, "$1");

/** Swift's frames: `Cart.add(item:) + 307 in Run at …`, `Cart.total.getter + 93 (Cart.swift:21)`. */
const WITH_OFFSET = /(?<![\w.])([\w.]{1,300})(?:\([^()]{0,300}\))? \+ \d{1,9} (?:in |\()/;
/** "frame #0: 0x1f shop`Cart.pay(sum=3) at …" */
const LLDB = /\bframe #\d{1,5}: 0x[\da-f]{1,16} [^`]{1,200}`([^\s(]{1,300})/;

/** The function in a line of a native crash report or debugger. */
export const nativeFunction = (line: string): string | undefined =>
  LLDB.exec(line)?.[1] ?? WITH_OFFSET.exec(line)?.[1]?.replace(/\.(?:getter|setter|modify)$/, "");

/** What Elixir writes behind a location: ` Shop.Cart.add/2`, ` anonymous fn/3 in Shop.Cart.total/1`, ` :cart.add(1)`. */
const BEAM_FUNCTION = /^\s(?:anonymous fn\/\d{1,3} in )?:?(?:\w{1,100}\.){1,20}(\w{1,200}[?!]?)[/(]/;

/** What Dart's test runner writes behind a path: ` 12:5   Cart.total.<fn>`. */
const DART_FUNCTION = /^\s\d{1,9}:\d{1,9}\s{1,60}(?:new\s)?([\w.]{1,200}?)(?:\.<(?:fn|async)>){0,9}(?:\s|$)/;

/** The function behind the location in a file of Elixir, Erlang or Dart. */
export function functionBehind(path: string, rest: string): string | undefined {
  if (path.endsWith(".dart")) return DART_FUNCTION.exec(rest)?.[1];
  return /\.(?:exs?|erl)$/.test(path) ? BEAM_FUNCTION.exec(rest)?.[1] : undefined;
}
