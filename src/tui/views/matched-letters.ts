/** A text with the letters highlighted that a search matched. */
import { display } from "../../text/display.ts";
import { type Line, line, span } from "../styling/styled-text.ts";
import type { Role } from "../styling/theme.ts";

/** Highlights the matched offsets, unless escapes have moved them. A surrogate pair stays together. */
export function highlighted(label: string, at: readonly number[], role: Role): Line {
  if (display(label) !== label) return line(role, label);
  const hits = new Set(at);
  const spans: { text: string; hit: boolean }[] = [];
  let offset = 0;
  for (const character of label) {
    const hit = hits.has(offset);
    const last = spans.at(-1);
    if (last !== undefined && last.hit === hit) last.text += character;
    else spans.push({ text: character, hit });
    offset += character.length;
  }
  return spans.map(({ text, hit }) => span(hit ? "match" : role, text));
}
