/** JSON that may be damaged, edited by hand, or made to harm. Callers validate the value. */
import { stringEnd } from "./json-depth.ts";

/**
 * The most values in one text: lists, objects, and whatever else a comma parts. Real texts have fewer. In memory each takes up to a hundred
 * bytes, so a text of some megabytes, which packs into a few kilobytes, could take all of it.
 */
export const VALUES_MAX = 4 * 1024 * 1024;

/** The value of a text; undefined when it is not JSON, is nested too deep, or has more than `VALUES_MAX` values. */
export function parseJson(text: string): unknown {
  if (hasTooManyValues(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasTooManyValues(json: string): boolean {
  // A value takes at least one character, so most texts need no look.
  if (json.length <= VALUES_MAX) return false;
  let values = 0;
  for (let at = 0; at < json.length && values <= VALUES_MAX; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) at = stringEnd(json, at);
    else if (character === COMMA || character === OPEN_BRACE || character === OPEN_BRACKET) values++;
  }
  return values > VALUES_MAX;
}

const [QUOTE, COMMA, OPEN_BRACKET, OPEN_BRACE] = [34, 44, 91, 123];

/** Whether a value is an object and not an array. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
