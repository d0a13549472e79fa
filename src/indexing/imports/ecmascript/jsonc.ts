/**
 * JSON as configuration files write it: comments and trailing commas allowed.
 *
 * Invariant: never throws; what cannot be read is null, since a repository's broken configuration must
 * not stop its indexing. Not here: what the values mean.
 */

/** The value of a JSON text with comments and trailing commas, or null. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(plainJson(text));
  } catch {
    return null;
  }
}

/** Takes out comments, trailing commas and a byte order mark, leaving strings as they are. One pass. */
function plainJson(text: string): string {
  // Open strings and comments run to the end, so that no text is scanned twice.
  const token = /"(?:[^"\\]|\\[\s\S])*(?:"|$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\]}]|,|[^"/,\]}]+|./g;
  let plain = "";
  let comma = false;
  for (const [part] of text.replace(/^\uFEFF/, "").matchAll(token)) {
    if (part.startsWith("//") || part.startsWith("/*") || part.trim() === "") continue;
    if (part === ",") {
      if (comma) return text;
      comma = true;
      continue;
    }
    if (comma && part !== "]" && part !== "}") plain += ",";
    comma = false;
    plain += part;
  }
  return plain;
}
