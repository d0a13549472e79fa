/**
 * Adds one property or element to JSON, with or without comments and trailing commas, and takes it out again.
 *
 * All that is there keeps its bytes: the change is one insertion, made before the first entry, so that no line of the user's gets
 * another comma. What results is parsed again and compared with what was meant.
 */
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { isRecord } from "../../text/parse-json.ts";
import {
  BYTE_ORDER_MARK,
  type Edit,
  insertedAt,
  isServer,
  lineEndOf,
  notChanged,
  sameContent,
  type Value,
} from "./edit.ts";

/**
 * A property at a path, or an element of the array at a path. `ours` says where in an element is what was added before: an empty path for
 * all of it, null for none.
 */
export type JsonPlace =
  | { readonly kind: "property"; readonly path: readonly string[] }
  | {
      readonly kind: "element";
      readonly path: readonly string[];
      ours(element: unknown): readonly (string | number)[] | null;
    };

/** Throws for a text that is not JSON, or has something else than objects on the path. */
export function addJson(before: string, place: JsonPlace, value: Value): Edit {
  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const text = before.slice(mark.length);
  const eol = lineEndOf(text);
  const format: Format = { eol, unit: unitOf(text) };
  const path = place.kind === "element" ? [...place.path, 0] : place.path;
  if (text.trim() === "") {
    const added = `${block(wrapped(path, value), "", format)}${eol}`;
    return insertedAt(before, before.length, added);
  }
  const root = parsed(text);
  const found = existing(root, place);
  if (found !== undefined) return { kind: sameContent(found, value) ? "present" : "other" };
  const { container, rest } = deepest(root, path);
  const [key, ...deeper] = rest;
  const edit = insertion(text, container, key ?? 0, wrapped(deeper, value), format);
  const after = text.slice(0, edit.at) + edit.text + text.slice(edit.at);
  if (!sameContent(existing(parsed(after), place), value)) throw notChanged("its JSON has an unusual form");
  return insertedAt(before, edit.at + mark.length, edit.text);
}

/** The text without what was added, wherever it is now; the same text if it is not there, or another program's entry is. */
export function removeJson(text: string, place: JsonPlace): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const body = text.slice(mark.length);
  if (body.trim() === "") return text;
  const root = parsed(body);
  const path = addedAt(root, place);
  const node = path === null ? undefined : findNodeAtLocation(root, path);
  if (path === null || node === undefined) return text;
  const entry = typeof path.at(-1) === "string" ? (node.parent ?? node) : node;
  const lines = ownLines(body, entry);
  const rest = lines === null ? withoutEntry(body, entry) : body.slice(0, lines.from) + body.slice(lines.to);
  if (!sameContent(getNodeValue(parsed(rest)), without(getNodeValue(root), path)))
    throw notChanged("its JSON has an unusual form");
  return mark + rest;
}

/** The text without an entry and one comma beside it. */
function withoutEntry(text: string, entry: Node): string {
  const end = entry.offset + entry.length;
  const comma = /^\s*,[ \t]*/.exec(text.slice(end));
  if (comma !== null) return text.slice(0, entry.offset) + text.slice(end + comma[0].length);
  const before = entry.parent?.children?.findLast(({ offset }) => offset < entry.offset);
  if (before === undefined) return text.slice(0, entry.offset) + text.slice(end);
  const from = before.offset + before.length;
  return text.slice(0, from) + text.slice(from, entry.offset).replace(",", "").trimEnd() + text.slice(end);
}

/** A value without what is at a path. */
function without(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, at) => (at !== key ? [item] : rest.length === 0 ? [] : [without(item, rest)]));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([name, item]) =>
    name !== key ? [[name, item] as const] : rest.length === 0 ? [] : [[name, without(item, rest)] as const],
  );
  return Object.fromEntries(entries);
}

/** Where what was added is now; null if it is not there. */
function addedAt(root: Node, place: JsonPlace): (string | number)[] | null {
  const path = pathOf(root, place);
  const node = path === null ? undefined : findNodeAtLocation(root, path);
  if (path === null || node === undefined) return null;
  if (place.kind === "property") return isServer(getNodeValue(node)) ? path : null;
  return [...path, ...(place.ours(getNodeValue(node)) ?? [])];
}

/** The lines of an entry with the line end before them, if nothing else is on them; null if cutting them could leave a comma or join lines. */
function ownLines(text: string, { offset, length, parent }: Node): { from: number; to: number } | null {
  const end = offset + length;
  const start = text.lastIndexOf("\n", offset);
  if (start === -1 || text.slice(start, offset).trim() !== "") return null;
  const from = text[start - 1] === "\r" ? start - 1 : start;
  if (text[end] === ",") return /^[ \t]*(?:\r?\n|$)/.test(text.slice(end + 1)) ? { from, to: end + 1 } : null;
  return parent?.children?.length === 1 ? { from, to: end } : null;
}

/** What a text holds. Throws as `parsed` does. */
export const jsonContent = (text: string): unknown =>
  text.replace(BYTE_ORDER_MARK, "").trim() === "" ? {} : getNodeValue(parsed(text.replace(BYTE_ORDER_MARK, "")));

/** What a text has at a path; undefined if it has nothing there, or is not JSON. */
export function jsonAt(text: string | null, path: readonly string[]): unknown {
  const root =
    text === null ? undefined : parseTree(text.replace(BYTE_ORDER_MARK, ""), [], { allowTrailingComma: true });
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  return node === undefined ? undefined : getNodeValue(node);
}

/** Throws for a text with errors, other than comments and trailing commas. */
function parsed(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) {
    const line = text.slice(0, errors[0]?.offset ?? 0).split("\n").length;
    throw notChanged(`it is not JSON (line ${line})`);
  }
  return root;
}

/** What is at the place; undefined if nothing is. */
function existing(root: Node, place: JsonPlace): unknown {
  const path = pathOf(root, place);
  const node = path === null ? undefined : findNodeAtLocation(root, path);
  return node === undefined ? undefined : getNodeValue(node);
}

function pathOf(root: Node, place: JsonPlace): (string | number)[] | null {
  const node = findNodeAtLocation(root, [...place.path]);
  if (node === undefined) return null;
  if (place.kind === "property") return [...place.path];
  const at = (node.children ?? []).findIndex((child) => place.ours(getNodeValue(child)) !== null);
  return at === -1 ? null : [...place.path, at];
}

/** The deepest object or array that exists on the path, and the rest of the path. */
function deepest(
  root: Node,
  path: readonly (string | number)[],
): { container: Node; rest: readonly (string | number)[] } {
  for (let length = path.length - 1; length >= 0; length -= 1) {
    const container = findNodeAtLocation(root, path.slice(0, length));
    if (container === undefined) continue;
    const wanted = typeof path[length] === "number" ? "array" : "object";
    if (container.type === wanted) return { container, rest: path.slice(length) };
    throw notChanged(`${length === 0 ? "its content" : path.slice(0, length).join(".")} is not an ${wanted}`);
  }
  throw notChanged("its content is not an object");
}

/** The value inside of the keys. */
const wrapped = (path: readonly (string | number)[], value: Value): Value =>
  path.reduceRight<Value>((inner, key) => (typeof key === "number" ? [inner] : { [key]: inner }), value);

type Format = { readonly eol: string; readonly unit: string };

function insertion(text: string, container: Node, key: string | number, value: Value, format: Format) {
  const { eol, unit } = format;
  const open = container.offset + 1;
  const inner = text.slice(open, container.offset + container.length - 1);
  const [first] = container.children ?? [];
  const named = (body: string): string => (typeof key === "number" ? body : `${JSON.stringify(key)}: ${body}`);
  const lineEnd = open + blankLength(text.slice(open));
  const outer = indentAt(text, container.offset);
  const isOpen = lineEnd < open + inner.length && /^\r?\n/.test(text.slice(lineEnd, lineEnd + 2));
  if (first === undefined) {
    const indent = outer + unit;
    const item = `${eol}${indent}${named(block(value, indent, format))}`;
    return isOpen ? { at: lineEnd, text: item } : { at: open, text: `${item}${eol}${outer}` };
  }
  if (isOpen) {
    const indent = indentAt(text, first.offset);
    return { at: lineEnd, text: `${eol}${indent}${named(block(value, indent, format))},` };
  }
  const isSpaced = /^\s/.test(inner);
  const item = `${named(line(value))},`;
  return { at: open, text: isSpaced ? ` ${item}` : `${item} ` };
}

/** The length of the blanks and comments that a line begins with. */
const blankLength = (text: string): number =>
  /^(?:[ \t]|\/\*(?:[^*\n]|\*(?!\/))*\*\/)*(?:\/\/[^\r\n]*)?/.exec(text)?.[0].length ?? 0;

/** The blanks before the first character of a position's line. */
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";

/** The blanks of one level, as the text has them. */
const unitOf = (text: string): string => /^([ \t]+)["{[]/m.exec(text)?.[1] ?? "  ";

/** A value over several lines; arrays of plain values are on one. */
function block(value: Value, indent: string, { eol, unit }: Format): string {
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${eol}${indent}${unit}`;
  const deeper = (item: Value): string => block(item, indent + unit, { eol, unit });
  if (isList(value)) {
    if (value.every((item) => typeof item !== "object")) return line(value);
    return `[${value.map((item) => `${inner}${deeper(item)}`).join(",")}${eol}${indent}]`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  return `{${entries.map(([key, item]) => `${inner}${JSON.stringify(key)}: ${deeper(item)}`).join(",")}${eol}${indent}}`;
}

/** A value on one line. */
export function line(value: Value): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(line).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${line(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
