/** Adds a table at the end of a TOML file, where it changes no other one, and takes it out again. */
import { parse } from "smol-toml";
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

/** Throws for a text that is not TOML, or in which the table cannot be added. */
export function addToml(before: string, path: readonly string[], values: Readonly<Record<string, Value>>): Edit {
  const known = valueAt(parsed(before, "it is not TOML"), path);
  if (known !== undefined) return { kind: sameContent(known, values) ? "present" : "other" };
  const eol = lineEndOf(before);
  const isEmpty = before === "" || before === BYTE_ORDER_MARK;
  const lines = [
    `[${path.map(keyOf).join(".")}]`,
    ...Object.entries(values).map(([key, value]) => `${keyOf(key)} = ${tomlOf(value)}`),
  ];
  const added = `${newLineAtEnd(before)}${isEmpty ? "" : eol}${lines.join(eol)}${eol}`;
  const after = parsed(before + added, `${path.slice(0, -1).join(".")} is not a table that can be added to`);
  if (!sameContent(valueAt(after, path), values)) throw notChanged("its TOML has an unusual form");
  return insertedAt(before, before.length, added);
}

/**
 * The text without the table and the tables in it that follow, from its header to its last key, and without the blank line before it. The
 * same text if another program's table is there.
 */
export function removeToml(text: string, path: readonly string[]): string {
  if (!isServer(valueAt(parsed(text, "it is not TOML"), path))) return text;
  const header = `[${path.map(keyOf).join(".")}]`;
  const lines = text.split(/(?<=\n)/);
  const from = lines.findIndex((one) => one.replace(BYTE_ORDER_MARK, "").replace(/#.*$/s, "").trim() === header);
  if (from === -1) return text;
  const inner = `${header.slice(0, -1)}.`;
  const next = lines.findIndex((one, at) => at > from && /^\s*\[/.test(one) && !one.trimStart().startsWith(inner));
  const end = lines.slice(0, next === -1 ? lines.length : next).findLastIndex((one) => !/^\s*(?:#|$)/.test(one)) + 1;
  const isSpaced = from > 0 && lines[from - 1]?.trim() === "";
  const rest = [...lines.slice(0, isSpaced ? from - 1 : from), ...lines.slice(end)].join("");
  if (valueAt(parsed(rest, "it is not TOML"), path) !== undefined) throw notChanged("its TOML has an unusual form");
  return rest;
}

/** What a text holds. Throws an `io` failure for one that is not TOML. */
export const tomlContent = (text: string): unknown => parsed(text, "it is not TOML");

function parsed(text: string, why: string): unknown {
  try {
    return parse(text.replace(BYTE_ORDER_MARK, ""));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw notChanged(why);
  }
}

const keyOf = (key: string): string => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

function tomlOf(value: Value): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: Value) => tomlOf(item)).join(", ")}]`;
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${keyOf(key)} = ${tomlOf(item)}`)
    .join(", ")} }`;
}
