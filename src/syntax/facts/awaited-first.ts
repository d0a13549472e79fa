/** `(await a.b()).c` as a chain that is read from left to right: `a.b().await.c`, as Rust writes it. */

const AWAITED = /^\(\s*await\s+/;

/** A qualifier with what it awaits first as a step after that; unchanged if it awaits nothing first. */
export function awaitedFirst(qualifier: string): string {
  const begin = AWAITED.exec(qualifier)?.[0].length ?? 0;
  const end = begin === 0 ? null : closing(qualifier);
  if (end === null) return qualifier;
  return `${awaitedFirst(qualifier.slice(begin, end).trimEnd())}.await${qualifier.slice(end + 1)}`;
}

/** The position of the bracket that closes the first one; null if the text ends before. */
function closing(text: string): number | null {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = text.indexOf(char, at + 1);
      if (end >= 0) at = end;
    } else if (char === "(") depth += 1;
    else if (char === ")" && --depth === 0) return at;
  }
  return null;
}
