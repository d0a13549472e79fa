/** JSON as configuration files write it: with comments and trailing commas. */

/** The value of the text; null when it cannot be read, so that a broken configuration does not stop the indexing. */
export function parseJsonc(text: string): unknown {
  try {
    return Bun.JSONC.parse(text);
  } catch {
    return null;
  }
}
