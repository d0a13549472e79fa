/** How requests name things: one line of text each; a path from the repository's root, or `path:name` for a part of a file. */
import { posix } from "node:path";
import { z } from "zod";
import { cleanText } from "../../task/sections/markup.ts";

export const ENTRY_CHARS_MAX = 1_000;

/** The classes are spelled out, since the pattern is published as JSON Schema. */
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const SOMETHING = /\S/;

/** One line that is not blank. */
export const entry = z
  .string()
  .min(1)
  .max(ENTRY_CHARS_MAX)
  .regex(ONE_LINE, "holds control characters")
  .regex(SOMETHING, "is blank");

/** Whether a request can contain this text: a name in the index may be too long or contain control characters. */
export const isEntry = (text: string): boolean => entry.safeParse(text).success;

/** The entries of pasted errors: each line of a trace is an error of its own. */
export const errorLines = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => cleanText(text).replaceAll("\t", " ").split("\n")).filter((line) => line.trim() !== "");

/** A path of ordinary names, as nearly all are. */
const PLAIN_PATH = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

/** Whether a request may accept or reject this file. Equal to what `readRefinement` checks, in a tenth of its time. */
export const isRequestPath = (path: string): boolean =>
  path.length <= ENTRY_CHARS_MAX &&
  (PLAIN_PATH.test(path) || (ONE_LINE.test(path) && SOMETHING.test(path) && repositoryPath(path) !== null));

/**
 * The two parts of `path:name`; both are empty when the text has no colon. Both may hold colons: the path is the shortest one that
 * `isPath` knows, else what comes before the first colon.
 */
export function symbolParts(
  text: string,
  isPath: (path: string) => boolean = () => true,
): { readonly path: string; readonly name: string } {
  const first = text.indexOf(":");
  if (first < 0) return { path: "", name: "" };
  let cut = first;
  while (cut >= 0 && !isPath(text.slice(0, cut))) cut = text.indexOf(":", cut + 1);
  const end = cut < 0 ? first : cut;
  return { path: text.slice(0, end), name: text.slice(end + 1).trim() };
}

/** A path in front of a name, as test runners write it. */
const IN_FILE = /^([^\s:]{1,500}\.\w{1,7})(?:::| [>›] )(?=\S)/;

/** A path in front of a name as JSON has it in ids, where a line follows: `shop/cart.py#Cart.add:12`. */
const ID = /^([^\s:#]{1,500})#(.{1,500}?)(:\d{1,9})?$/;

/** The number of parameters behind the name of a function of Elixir or Erlang. */
const ARITY = /(?<=[\w?!])\/\d{1,3}$/;

/** What Go writes for the owner of a method, which may have its package before it. */
const RECEIVER = /(^|[:.])\(\*?([\w.]+)\)\./;

/** The parameters behind a name, as Java's documentation has them: `add(Item, int)`. */
const PARAMETERS = /(?<=[\w$>?!])\([^()]{0,500}\)$/;

/** The parameters of a type: `Cart<'a>::add`, `Map<K, V>.get`. */
const TYPE_PARAMETERS = /(?<=\w)(?:::)?<[^<>()]{0,200}>(?=$|[.:#])/g;

/**
 * The name in a call, an id, a trace of Go, documentation of Ruby, Java, JavaScript or Elixir, or the report of a test runner: `total()`,
 * `a.py#Cart.add:12`, `(*Cart).Add`, `Cart#add`, `Cart.add(Item)`, `Cart.prototype.add`, `Cart.add/2`,
 * `tests/a.py::TestCart::test_add[1]`, `TestAdd/empty`, `Cart > adds`.
 */
export function asDefined(typed: string): string {
  const [, file = "", inFile = "", line] = ID.exec(typed) ?? [];
  if (file.includes("/") || line !== undefined) return `${file}:${inFile}`;
  const [start = "", path = ""] = IN_FILE.exec(typed) ?? [];
  const written = typed
    .slice(start.length)
    .replace(PARAMETERS, "")
    .replace(TYPE_PARAMETERS, "")
    .replace(ARITY, "")
    .replace(RECEIVER, "$1$2.")
    .replace(/(?<=\w)\.prototype(?=\.\w)/, "");
  const name = written.endsWith("]") ? written.slice(0, Math.max(0, written.indexOf("["))) : written;
  const whole = name.replace(/^(Test\w*)\/.*$/, "$1").replaceAll(/ [>›] |::|(?<=\w)#(?=\S)/g, ".");
  return path === "" ? whole : `${path}:${whole}`;
}

/** A normalized path from the root, with any slashes; null if it leads out of the root or names nothing. */
export function repositoryPath(typed: string): string | null {
  const slashed = typed.replaceAll("\\", "/");
  if (slashed.startsWith("/") || /^[A-Za-z]:\//.test(slashed)) return null;
  const path = posix.normalize(slashed).replace(/\/$/, "");
  return path === "." || path === "" || path === ".." || path.startsWith("../") ? null : path;
}
