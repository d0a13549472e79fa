/** JSON as configuration files write it: with comments and trailing commas. */

/** The value of the text; null if it is invalid, so that a broken configuration does not stop indexing. */
export function parseJsonc(text: string): unknown {
  try {
    return Bun.JSONC.parse(text);
  } catch {
    return null;
  }
}
