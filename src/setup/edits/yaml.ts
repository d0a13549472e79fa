/** Adds an entry to a mapping of a YAML file, as its first, and takes it out again. All that is there keeps its bytes. */
import { isMap, isScalar, parseDocument, stringify } from "yaml";
import { isRecord } from "../../text/parse-json.ts";
import {
  BYTE_ORDER_MARK,
  type Edit,
  insertedAt,
  isServer,
  lineEndOf,
  newLineAtEnd,
  notChanged,
  sameContent,
  type Value,
  valueAt,
} from "./edit.ts";
import { line } from "./json.ts";

/** Adds `key` with its value to the mapping that is called `parent`. Throws for a text that is not YAML or has several documents. */
export function addYaml(before: string, [parent, key]: readonly [string, string], value: Value): Edit {
  const known = valueAt(yamlContent(before), [parent, key]);
  if (known !== undefined) return { kind: sameContent(known, value) ? "present" : "other" };
  const { at, text } = insertion(before, parent, key, value);
  const after = before.slice(0, at) + text + before.slice(at);
  if (!sameContent(yamlContent(after), merged(yamlContent(before), parent, key, value)))
    throw notChanged("its YAML has an unusual form");
  return insertedAt(before, at, text);
}

/** The text without the entry: its lines, when it has lines of its own. The same text if another program's entry is there. */
export function removeYaml(text: string, [parent, key]: readonly [string, string]): string {
  if (!isServer(valueAt(yamlContent(text), [parent, key]))) return text;
  const pair = entryOf(text, parent, key);
  if (pair === null) throw notChanged("its YAML has an unusual form");
  const rest = pair.isFlow ? withoutItem(text, pair) : withoutLines(text, pair);
  if (valueAt(yamlContent(rest), [parent, key]) !== undefined) throw notChanged("its YAML has an unusual form");
  return rest;
}

type Entry = { readonly from: number; readonly to: number; readonly isFlow: boolean };

function withoutLines(text: string, { from, to }: Entry): string {
  const end = text.indexOf("\n", Math.max(from, to - 1));
  return text.slice(0, text.lastIndexOf("\n", from) + 1) + (end === -1 ? "" : text.slice(end + 1));
}

function withoutItem(text: string, { from, to }: Entry): string {
  const comma = /^\s*,\s*/.exec(text.slice(to, to + 100));
  if (comma !== null) return text.slice(0, from) + text.slice(to + comma[0].length);
  return text.slice(0, from).replace(/,\s*$/, "") + text.slice(to);
}

function insertion(before: string, parent: string, key: string, value: Value): { at: number; text: string } {
  const eol = lineEndOf(before);
  const block = (indent: string, inner: Value): string =>
    stringify(inner, { indent: 2, lineWidth: 0 })
      .trimEnd()
      .split("\n")
      .map((one) => `${indent}${one}`)
      .join(eol);
  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const { contents } = documentOf(before);
  const pair = isMap(contents)
    ? contents.items.find(({ key: one }) => isScalar(one) && one.value === parent)
    : undefined;
  if (pair === undefined) {
    const added = `${newLineAtEnd(before)}${block("", { [parent]: { [key]: value } })}${eol}`;
    return { at: before.length, text: added };
  }
  const range = isScalar(pair.key) ? pair.key.range : null;
  if (range === null || range === undefined) throw notChanged("its YAML has an unusual form");
  const keyAt = range[0] + mark;
  const lineEnd = /\r?\n|$/.exec(before.slice(range[1] + mark));
  const at = range[1] + mark + (lineEnd?.index ?? 0);
  const column =
    keyAt - (before.lastIndexOf("\n", keyAt - 1) + 1) - (before.lastIndexOf("\n", keyAt - 1) === -1 ? mark : 0);
  const entry = { [key]: value };
  if (isMap(pair.value) && pair.value.flow === true) {
    const open = before.indexOf("{", (pair.value.range?.[0] ?? 0) + mark) + 1;
    const text = `${JSON.stringify(key)}: ${line(value)}`;
    return { at: open, text: pair.value.items.length === 0 ? text : `${text}, ` };
  }
  if (isMap(pair.value)) {
    const [first] = pair.value.items;
    const start = (isScalar(first?.key) ? (first.key.range?.[0] ?? 0) : 0) + mark;
    const indent = before.slice(before.lastIndexOf("\n", start - 1) + 1, start);
    if (indent.trim() !== "") throw notChanged("its YAML has an unusual form");
    return { at, text: `${eol}${block(indent, entry)}` };
  }
  if (pair.value !== null && !(isScalar(pair.value) && pair.value.value === null))
    throw notChanged(`${parent} is not a mapping`);
  return { at, text: `${eol}${block(" ".repeat(column + 2), entry)}` };
}

function entryOf(text: string, parent: string, key: string): Entry | null {
  const { contents } = documentOf(text);
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const outer = isMap(contents) ? contents.get(parent, true) : null;
  if (!isMap(outer)) return null;
  const pair = outer.items.find(({ key: one }) => isScalar(one) && one.value === key);
  const from = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
  const value: unknown = pair?.value;
  const to = isMap(value) || isScalar(value) ? value.range?.[1] : undefined;
  return from === undefined || to === undefined
    ? null
    : { from: from + mark, to: to + mark, isFlow: outer.flow === true };
}

/** Throws for errors, and for more than one document. */
function documentOf(text: string) {
  const document = parseDocument(text.replace(BYTE_ORDER_MARK, ""));
  if (document.errors.length > 0) throw notChanged("it is not YAML, or has several documents");
  return document;
}

/** What a text holds. Throws as `documentOf` does. */
export function yamlContent(text: string): unknown {
  return documentOf(text).toJS({ maxAliasCount: 100 });
}

function merged(content: unknown, parent: string, key: string, value: Value): unknown {
  const top = isRecord(content) ? content : {};
  const inner = isRecord(top[parent]) ? top[parent] : {};
  return { ...top, [parent]: { ...inner, [key]: value } };
}
