/** Says how deep JSON is nested, without parsing it. */

/** No real request is deeper, and parsing takes stack for each level. */
export const JSON_DEPTH_MAX = 100;

/** Whether brackets outside strings are nested more than `JSON_DEPTH_MAX` deep. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) at = stringEnd(json, at);
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth++;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth--;
    if (depth > JSON_DEPTH_MAX) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH] = [34, 92];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [123, 125, 91, 93];

/** The index of the quote that closes the string opened at `from`, or the length of the text. */
export function stringEnd(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return json.length;
}
