/**
 * Reads the stack frames of Python, Node, Java, Go and Rust in a task, and those that Ruby, PHP, C#, Elixir, Swift and debuggers write.
 *
 * Frames are in the order of the text, each once. A Java frame gets the folders of its package; functions are given by their
 * last name (`Server.handle` is `handle`), anonymous ones as null. Frames without a file are left out.
 */

import { LINE_TOLD, placesInWords, RANGE_SIGN } from "../names/lines-in-words.ts";
import { SOURCE_ENDINGS } from "../names/name-tables.ts";
import { type Section, type StackFrame, TASK_LIMITS } from "../query.ts";
import { withUsersJoined } from "../sections/markup.ts";
import { framesAsFields } from "./frames-as-fields.ts";
import { dotnetName, functionBehind, jvmName, lastName, nativeFunction } from "./function-names.ts";

/** Monitoring writes frames of Ruby in this form, too. */
const PYTHON =
  /File "([^"]{1,400})", line (\d{1,9})(?:, in (?:(?:block|rescue|ensure)(?: \(\d{1,3} levels\))? in ){0,9}([^\s,;()]{1,200}))?/g;
const AT = /(?:^|\s)at\s+(?:async\s+)?/;
const DOTNET = /^(.{0,300}?)\s+in\s+((?:[A-Za-z]:)?[\\/].{1,400}?|\S{1,400}):line\s(\d{1,9})/;
const PHP = /#\d+\s+(\S{1,400}\.php)\((\d{1,9})\):\s*(?:[\w\\]+(?:->|::))?(\w*)/;
/** Crash reporters and thread dumps write frames of Java without an `at`. */
const JVM =
  /^\s*(?:\d{1,4}\s+)?\.{0,3}([\w$]{1,300}(?:\.[\w$<>]{1,200})+) ?\(([\w$]{1,200}\.(?:java|kt|scala)):(\d{1,9})\)/;
const WORD = /[^\s()"'`,;<>|=[\]]+/g;
/** `a.py:12`, `a.ts:12:3`, `a.rs:12-20`, `a.go#L12-L20`, `a.ts:L12`, `a.ts?:12:3` of a bundler, and the punctuation after it. */
const LOCATION = new RegExp(
  String.raw`^(.*\.(\w{1,7}))(?:\?[\w&.-]{0,200})?(?::L?|#L)(\d{1,9})(?::\d{1,9})?(?:${RANGE_SIGN}L?\d{1,9})?[.:!?*]{0,4}$`,
);
const LOCATION_WITH_WORD = /^(.*\.(\w{1,7})):(\d{1,9}):in$/;
/** Behind a path: `(12,3):` and `(12):` of compilers, `:[12,3]` of Maven, `: (12, 3):` of Kotlin, `"},{line,12}` of Erlang. */
const LINE_BEHIND = new RegExp(
  String.raw`^(?:\((\d{1,9})(?:,\d{1,9})?\)\s?:|:\[(\d{1,9}),\d{1,9}\]|:\s\((\d{1,9}), \d{1,9}\):|"\},\{line,(\d{1,9})\}|${LINE_TOLD})`,
);
/** `package:shop/cart.dart 12:5   Cart.total` of Dart's test runner. */
const DART_LINE = /^\s(\d{1,9}):\d{1,9}(?=\s|$)/;
/** Next.js adds the layer that a module is in: `webpack-internal:///(rsc)/./app/page.tsx`. */
const SCHEME = /^(?:file:\/\/|[\w-]+:\/{2,3}(?:\([\w-]{1,40}\)\/)?)(?=[./\w])/;
/** `in Cart.add`, Ruby's `in 'block (2 levels) in Cart#add'`, Lua's `in function 'add'`, but not GHC's `in main:Shop.Cart`, a module. */
const FUNCTION_AFTER =
  /^,?\s*in\s+(?![\w.-]{1,100}:[A-Z][\w.]{0,200}(?:\s|$))[`']?(?:(?:block|rescue|ensure)(?: \(\d{1,3} levels\))? in ){0,9}(?:(?:function|method|local|upvalue|field) [`'])?(?:[\w:]+[#.]){0,9}(?!(?:block|rescue|ensure) (?:in |\())([\w?!]+)/;
/** The function in `#1 0x55d in main src/a.c:12`, `#0 Cart.add (a.dart:3)` and `==9== by 0x40: main (a.c:5)`. */
const NUMBERED =
  /^\s*(?:#\d{1,4}\s+(?:0x[\da-f]{1,16}\s+in\s+|(?=[^\s(]{1,300}(?: closure>)?\s\())|==\d{1,9}==\s+(?:at|by)\s+0x[\dA-Fa-f]{1,16}:\s)([^\s(]{1,300})/;
/** ` ❯ Cart.add src/cart.ts:3:5` of Vitest. */
const VITEST = /^\s*❯\s+(?:(?:async|new)\s+)?([^\s:]{1,300})\s+\S{1,400}:\d{1,9}:\d{1,9}$/;
/** What gdb writes below a frame: `    at a.c:12`, `    b=0x2) at a.c:12`. */
const CONTINUED = /^\s+(?:[^#)]{1,300}\)\s)?at\s/;
const RUST_FUNCTION = /^\s*\d+:\s+(?:0x[0-9a-f]+\s+-\s+)?(\S+|<[^>]{1,300}>::\S+)\s*$/;

/** The stack frames of a task, at most `TASK_LIMITS.framesMax`: of more, the first and the last half. */
export function findFrames(sections: readonly Section[]): readonly StackFrame[] {
  const found = new Map<string, StackFrame>();
  const add = (read: StackFrame) => {
    const key = `${read.path}\n${read.line}\n${read.function}`;
    if (!found.has(key)) found.set(key, read);
  };
  let previous = "";
  const placesBelow = headedReader();
  for (const { text } of sections) {
    const line = text.slice(0, TASK_LIMITS.lineCharsMax);
    for (const read of [...framesIn(line, previous), ...placesTold(line), ...placesBelow(line)]) add(read);
    previous = line;
  }
  for (const read of framesInFields(sections)) add(read);
  const frames = [...found.values()];
  const half = TASK_LIMITS.framesMax / 2;
  return frames.length <= TASK_LIMITS.framesMax ? frames : [...frames.slice(0, half), ...frames.slice(-half)];
}

function framesIn(line: string, previous: string): readonly StackFrame[] {
  const python = [...line.matchAll(PYTHON)].map(([, path = "", at = "", name = ""]) =>
    frame(SOURCE_ENDINGS.get(/\.(\w{1,7})$/.exec(path)?.[1] ?? "py") ?? "python", path.replace(SCHEME, ""), at, name),
  );
  if (python.length > 0) return python;
  const php = PHP.exec(line);
  if (php !== null) return [frame("other", php[1] ?? "", php[2] ?? "", php[3] ?? "")];
  const jvm = JVM.exec(line);
  if (jvm !== null) return [jvmFrame(jvm[1] ?? "", jvm[2] ?? "", jvm[3] ?? "")];
  const [before = "", ...pieces] = line.split(AT);
  const outer: Outer = (language) =>
    NUMBERED.exec(line)?.[1] ??
    VITEST.exec(line)?.[1] ??
    nativeFunction(line) ??
    functionBefore(language, previous, line);
  return [...locatedFrames(before, outer), ...pieces.flatMap((piece) => frameAfterAt(piece, outer))];
}

const placesTold = (line: string): readonly StackFrame[] =>
  placesInWords(line).flatMap(({ path, at, name }) => frameAt(path, at, name));

/** The frames that are fields of JSON: Python's as they come, of others the deepest first. */
function framesInFields(sections: readonly Section[]): readonly StackFrame[] {
  const found = framesAsFields(sections.map(({ text }) => text)).flatMap(({ path, line, name, deepestLast }) =>
    // PHP names the function that is called there, not the one around it.
    frameAt(path, line, path.endsWith(".php") ? "" : name).map((read) => ({ read, deepestLast })),
  );
  const isTurned = ({ read, deepestLast }: (typeof found)[number]): boolean =>
    deepestLast && read.language !== "python";
  const turned = found.filter(isTurned).reverse();
  return [...found.filter((field) => !isTurned(field)), ...turned].map(({ read }) => read);
}

/** The function that a frame of a language is in if the location itself names none; empty if it is not known. */
type Outer = (language: StackFrame["language"]) => string;

/** A line that names a file, and lines below it that name places in it. `once`: only the first of them. */
type Headed = { readonly head: RegExp; readonly place: RegExp; readonly once: boolean };
const HEADED: readonly Headed[] = [
  // IPython: `~/shop/cart.py in add(self, item)`, and some lines below `---> 12     self.items.append(item)`.
  {
    head: /^\s*\[?([^\s[\]()"'`][^[\]()"'`]{0,300}\.pyx?)(?:\]\([^\s)]{0,400}\))? in ([\w.<>]{1,200})/,
    place: /^-{1,9}> ?(\d{1,9})\b/,
    once: true,
  },
  // ESLint and Stylelint: a path alone, and below it `  12:5  error  'item' is never used  no-unused-vars`. Reviews on GitHub:
  // the same, and `Comment on lines +40 to +52`.
  {
    head: /^((?:[A-Za-z]:)?[^\s:()"'`]{1,400}\.\w{1,7})$/,
    place: /^(?:Comment on lines? [+R-]?|\s{1,8}(?=\d{1,9}:\d{1,9}\s{1,9}(?:error|warning|[✖⚠×])\s))(\d{1,9})/,
    once: false,
  },
  // PHPStan: `  Line   Cart.php`, and below it `  12     Undefined variable: $item`.
  { head: /^\s{1,4}Line\s{2,6}(\S{1,400}\.php)$/, place: /^\s{1,4}(\d{1,9})\s{2,9}\S/, once: false },
];

/** Reads lines in order. */
function headedReader(): (line: string) => readonly StackFrame[] {
  let open: { readonly form: Headed; readonly path: string; readonly name: string } | null = null;
  return (line) => {
    for (const form of HEADED) {
      const [, path, name = ""] = form.head.exec(line.trimEnd()) ?? [];
      if (path !== undefined) open = { form, path, name };
    }
    const at = open?.form.place.exec(line)?.[1];
    if (open === null || at === undefined) return [];
    const { form, path, name } = open;
    if (form.once) open = null;
    return frameAt(path, at, name);
  };
}

function frameAt(path: string, line: string, name: string): readonly StackFrame[] {
  const location = parseLocation(`${path}:${line}`);
  return location === null ? [] : [frame(location.language, location.path, location.line, name)];
}

/** `Server.handle (src/server.js:10:5)`, `com.shop.Cart.add(Cart.java:42)`, `src/main.rs:10:5`. */
function frameAfterAt(piece: string, outer: Outer): readonly StackFrame[] {
  const dotnet = DOTNET.exec(piece);
  if (dotnet !== null) {
    return [frame("other", dotnet[2] ?? "", dotnet[3] ?? "", dotnetName(dotnet[1] ?? ""))];
  }
  const open = piece.indexOf("(");
  const close = piece.indexOf(")", open + 1);
  if (open < 0) return locatedFrames(piece, outer);
  const location =
    parseLocation(piece.slice(open + 1, close < 0 ? piece.length : close)) ??
    // Folders may have brackets (`app/(shop)/page.tsx`).
    parseLocation(piece.slice(open + 1, piece.lastIndexOf(")")));
  if (location === null) return locatedFrames(piece, outer);
  const name = piece
    .slice(0, open)
    .replace(/\[as [^[\]]*\]/, "")
    .trim();
  // Clojure's functions are classes, named so that no definition has their name: `shop.cart$add_item.invoke`.
  if (/\.clj[cs]?$/.test(location.path))
    return [frame("other", packageFolder(name.replace(/\$.*/, ".x")) + location.path, location.line, "")];
  if (location.language !== "java") return [frame(location.language, location.path, location.line, name)];
  return [jvmFrame(name, location.path, location.line)];
}

/** Every `path.ext:line` of a text, with the function after or before it. */
function locatedFrames(written: string, outer: Outer): readonly StackFrame[] {
  const text = withUsersJoined(written);
  const found: StackFrame[] = [];
  for (const word of text.matchAll(WORD)) {
    const at = word[0].indexOf("@");
    // Firefox and Safari: handle@src/server.js:10:5
    const caller = at > 0 && !word[0].slice(0, at).includes("/") ? word[0].slice(0, at) : "";
    const rest = text.slice(word.index + word[0].length);
    const location = parseLocation(caller === "" ? word[0] : word[0].slice(at + 1)) ?? locationBefore(word[0], rest);
    if (location === null) continue;
    const after = FUNCTION_AFTER.exec(withIn(word[0], rest))?.[1] ?? functionBehind(location.path, rest);
    const name = caller !== "" ? caller : (after ?? outer(location.language));
    found.push(frame(location.language, location.path, location.line, name));
  }
  return found;
}

/** Ruby writes `path.rb:12:in 'name'`: the `in` is part of the word. */
const withIn = (word: string, rest: string): string => (word.endsWith(":in") ? `in ${rest.trimStart()}` : rest);

/** Go and Rust write the function on the line before its location, and so does gdb if the line is long. */
function functionBefore(language: StackFrame["language"], previous: string, line: string): string {
  if (language === "rust") return RUST_FUNCTION.exec(previous)?.[1] ?? "";
  if (language === "go") return goFunction(previous);
  return CONTINUED.test(line) ? (NUMBERED.exec(previous)?.[1] ?? "") : "";
}

/** `main.(*Server).handle(0xc000010250, 0x5)`, `created by main.start in goroutine 1`. */
function goFunction(line: string): string {
  const call = line
    .trim()
    .replace(/^created by /, "")
    .replace(/ in goroutine \d+$/, "");
  const name = call.endsWith(")") ? call.slice(0, call.lastIndexOf("(")) : call;
  return /^[\w./*()\-·[\]]+$/.test(name) ? name : "";
}

type Location = { readonly path: string; readonly line: string; readonly language: StackFrame["language"] };

function parseLocation(text: string): Location | null {
  const [, path = "", ending = "", line = ""] = LOCATION.exec(text) ?? LOCATION_WITH_WORD.exec(text) ?? [];
  const language = SOURCE_ENDINGS.get(ending.toLowerCase());
  const bare = path
    .replace(/^\*{1,3}/, "")
    // Dart's packages have their code in `lib`.
    .replace(/^package:\w+\//, "lib/")
    .replace(SCHEME, "")
    .replace(/\?.*$/, "");
  if (language === undefined || bare.startsWith("node:") || !/\w/.test(bare)) return null;
  return { path: bare, line, language };
}

/** The location of a path whose line is in the text behind it. */
function locationBefore(word: string, rest: string): Location | null {
  const path = word.replace(/(?::|(?<=\w)\*{1,3})$/, "");
  const behind = word.slice(path.length) + rest;
  const form = path.endsWith(".dart") ? DART_LINE : LINE_BEHIND;
  const lines = (form.exec(behind) ?? LINE_BEHIND.exec(behind))?.slice(1) ?? [];
  const line = lines.find((group) => group !== undefined);
  return line === undefined ? null : parseLocation(`${path}:${line}`);
}

const jvmFrame = (name: string, file: string, line: string): StackFrame =>
  frame("java", packageFolder(name) + file, line, jvmName(name));

const packageFolder = (name: string): string => {
  const parts = name
    .slice(name.lastIndexOf("/") + 1)
    .split(".")
    .slice(0, -2);
  return parts.map((part) => `${part}/`).join("");
};

/** `name` as it is written; empty if it is not known. */
const frame = (language: StackFrame["language"], path: string, line: string, name: string): StackFrame => ({
  language,
  path: path.replaceAll("\\", "/"),
  line: Math.max(1, Number(line)),
  function: lastName(name),
});
