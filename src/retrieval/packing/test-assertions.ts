/**
 * The assertions of a test, as they stand in its source.
 *
 * A line counts when it begins an assertion in one of the usual styles: `assert`, `self.assertX`,
 * `pytest.raises`, `expect(…)`, `assert.equal(…)`, `.should`. One that goes on over the next lines is brought onto one
 * line; what is still open then, or too long, says too little and is left out.
 */

/** At most this many assertions of one test, characters of one assertion, and lines that it takes. */
const ASSERTIONS_MAX = 8;
const ASSERTION_CHARS_MAX = 200;
const ASSERTION_LINES_MAX = 6;

const ASSERTION =
  /^(?:assert\b|self\.assert\w*\(|with (?:pytest|self)\.(?:raises|warns|assertRaises)|pytest\.(?:raises|fail)|(?:await )?expect\(|assert[.(]|t\.(?:is|true|false|deepEqual|throws)\(|[\w.)(]+\.should\b)/;

/** The assertions of the lines `start..end` (1-based, inclusive) of a text, each once. */
export function assertionsOf(lines: readonly string[], start: number, end: number): readonly string[] {
  const found = new Set<string>();
  for (let line = start; line <= end && found.size < ASSERTIONS_MAX; line += 1) {
    if (!ASSERTION.test(textAt(lines, line))) continue;
    let text = "";
    for (let at = line; at <= Math.min(end, line + ASSERTION_LINES_MAX - 1); at += 1) {
      text = `${text} ${textAt(lines, at)}`.trimStart();
      if (openBrackets(text) > 0 && text.length <= ASSERTION_CHARS_MAX) continue;
      if (openBrackets(text) <= 0) found.add(text.slice(0, ASSERTION_CHARS_MAX).replace(/^assert\s+|[;,]$/g, ""));
      break;
    }
  }
  return [...found];
}

const textAt = (lines: readonly string[], line: number): string => (lines[line - 1] ?? "").slice(0, 2000).trim();

/** How many brackets are open at the end; those in strings count too, which is right nearly always. */
const openBrackets = (text: string): number =>
  (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
