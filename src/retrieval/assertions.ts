/**
 * The assertion lines of a test, as they stand in its source.
 *
 * A line counts when it begins an assertion in one of the usual styles: `assert`, `self.assertX`,
 * `pytest.raises`, `expect(…)`, `assert.equal(…)`, `.should`. Only the line itself is taken.
 */

/** At most this many assertions of one test, and characters of one assertion. */
const ASSERTIONS_MAX = 8;
const ASSERTION_CHARS_MAX = 200;

const ASSERTION =
  /^(?:assert\b|self\.assert\w*\(|with (?:pytest|self)\.(?:raises|warns|assertRaises)|pytest\.(?:raises|fail)|(?:await )?expect\(|assert[.(]|t\.(?:is|true|false|deepEqual|throws)\(|[\w.)(]+\.should\b)/;

/** The assertions of the lines `start..end` (1-based, inclusive) of a text. */
export function assertionsOf(lines: readonly string[], start: number, end: number): readonly string[] {
  const found: string[] = [];
  for (let line = start; line <= end && found.length < ASSERTIONS_MAX; line += 1) {
    const text = (lines[line - 1] ?? "").slice(0, 2000).trim();
    if (ASSERTION.test(text)) found.push(text.slice(0, ASSERTION_CHARS_MAX).replace(/[;,]$/, ""));
  }
  return found;
}
