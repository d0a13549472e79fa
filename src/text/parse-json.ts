/** Parses JSON that may be damaged or edited by hand. Callers validate the value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
