/**
 * Finds the assertions in the source of a test, each joined to one line. A long one is cut; one that does not end soon is left
 * out.
 */
import { truncated } from "../../../text/truncated.ts";

/** Limits: assertions of one test, and characters and lines of one assertion. */
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
      if (openBrackets(text) <= 0) found.add(truncated(text.replace(/^assert\s+|[;,]$/g, ""), ASSERTION_CHARS_MAX));
      break;
    }
  }
  return [...found];
}

const textAt = (lines: readonly string[], line: number): string => (lines[line - 1] ?? "").slice(0, 2000).trim();

/** How many brackets are open at the end. Those in strings count too, which is rarely wrong. */
const openBrackets = (text: string): number =>
  (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
