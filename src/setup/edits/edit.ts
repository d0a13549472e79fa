/** What a change of a user's file is, and what every format shares: line ends, byte order marks, and the failure. */
import { isDeepStrictEqual } from "node:util";
import { Failed } from "../../failure.ts";
import { isRecord } from "../../text/parse-json.ts";

/**
 * The state of a file after a change. "present": it already has what was to be added. "other": it has something else there, which is
 * left alone. `inserted` is each text that was added, in order.
 */
export type Edit =
  | { readonly kind: "present" }
  | { readonly kind: "other" }
  | { readonly kind: "changed"; readonly text: string; readonly inserted: readonly string[] };

/** A value as JSON, TOML and YAML have it. */
export type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

export const BYTE_ORDER_MARK = "\uFEFF";

/** The line end that a text uses. */
export const lineEndOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** The text with `added` at a position. */
export const insertedAt = (text: string, at: number, added: string): Edit => ({
  kind: "changed",
  text: text.slice(0, at) + added + text.slice(at),
  inserted: [added],
});

/** The end of a text, with what begins a new line there if something is on the last one. */
export const newLineAtEnd = (text: string): string =>
  text === "" || text === BYTE_ORDER_MARK || text.endsWith("\n") ? "" : lineEndOf(text);

/** Whether two parsed values have the same content, whatever prototypes their parsers give them. */
export const sameContent = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null");

/** Whether an entry starts `cra mcp`, in whatever form. One of another program that is called `cra` is the user's own. */
export function isServer(value: unknown): boolean {
  const words = textsIn(value);
  return words.some((word) => /^(?:.*[\\/])?cra(?:\.exe)?$/.test(word)) && words.includes("mcp");
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What is at a path of keys; undefined if nothing is. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);

/** A file that cannot be changed safely: nothing was written. */
export const notChanged = (why: string): Failed =>
  new Failed({ code: "io", where: "", message: why, next: "nothing was changed in it" });
