/**
 * Reads values as they are written: the text of a flag or variable, or what TOML gave.
 *
 * Reading never fails. What cannot be read comes back as the text itself, or null, which the schema of the key refuses.
 */
import { readTokens } from "../text/tokens/token-amount.ts";
import type { Notation } from "./key-kinds.ts";

const UNITS = new Map([
  ["", 1],
  ["b", 1],
  ["kib", 1024],
  ["k", 1024],
  ["kb", 1000],
  ["mib", 1024 * 1024],
  ["m", 1024 * 1024],
  ["mb", 1000 * 1000],
]);

/** The value of a text, not checked yet. */
export function readNotation(notation: Notation, text: string): unknown {
  switch (notation) {
    case "whole":
      return /^\d{1,15}$/.test(text) ? Number(text) : text;
    case "tokens":
      return readTokens(text) ?? text;
    case "number":
      return /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
    case "bytes":
      return readBytes(text);
    case "switch":
      return text === "true" || (text === "false" ? false : text);
    case "list":
      return items(text).map((item) => item.trim());
    case "word":
      return text;
    case "weights":
      return text.includes("=") ? readWeights(text) : text;
  }
}

/** The parts between commas. A comma inside braces belongs to a glob: `*.{ts,tsx}`. */
function items(text: string): readonly string[] {
  const found: string[] = [];
  let [end, isInside] = [text.length, false];
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === "}") isInside = true;
    else if (text[at] === "{") isInside = false;
    else if (text[at] === "," && !isInside) {
      found.push(text.slice(at + 1, end));
      end = at;
    }
  }
  return [...found, text.slice(0, end)].reverse();
}

/** The value that TOML gave, not checked yet; sizes and tokens may be text there too (`"2MiB"`, `"8k"`). */
export function readTomlValue(notation: Notation, raw: unknown): unknown {
  return (notation === "bytes" || notation === "tokens") && typeof raw === "string" ? readNotation(notation, raw) : raw;
}

/** The texts that TOML may give for numbers, for a schema, which knows no letter case. */
export const TOML_TEXTS: Readonly<Partial<Record<Notation, RegExp>>> = {
  bytes: /^\d{1,12}\s*(?:[bB]|[kKmM](?:[iI]?[bB])?)?$/,
  tokens: /^\d{1,15}(?:(?:\.\d{1,6})?[kKmM])?$/,
};

function readBytes(text: string): unknown {
  const match = /^(\d{1,12})\s*([a-z]{0,3})$/i.exec(text);
  const unit = UNITS.get((match?.[2] ?? "?").toLowerCase());
  return match === null || unit === undefined ? text : Number(match[1]) * unit;
}

/** `mention=0.5,recency=0.1`; null when a pair is not a name and a number, or a name is repeated. */
function readWeights(text: string): unknown {
  const pairs = new Map<string, number>();
  for (const pair of text.split(",")) {
    const match = /^\s*([A-Za-z_]+)\s*=\s*(\d{1,6}(?:\.\d{1,12})?)\s*$/.exec(pair);
    const [, name, weight] = match ?? [];
    if (name === undefined || weight === undefined || pairs.has(name)) return null;
    pairs.set(name, Number(weight));
  }
  return Object.fromEntries(pairs);
}
