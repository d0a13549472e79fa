/**
 * The task's text in Markdown. Not here: what any text needs there (`text/markdown.ts`).
 */
import { fenced } from "../../text/markdown.ts";

/**
 * The task's text as a section body. Ordinary text stands as it is; text that holds fences, headings or
 * HTML would change the document around it, so it is fenced.
 */
export function quotedTask(text: string): string {
  return /(^|[\r\n])[ \t]*(#|>|<|---|(-+|=+)[ \t]*([\r\n]|$))|<!--|```|~~~/.test(text) ? fenced(text, "text") : text;
}
