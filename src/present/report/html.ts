/**
 * HTML as a value that only this file makes: text goes in escaped, so that no name or content of a repository is markup.
 *
 * Text is first made visible as on a terminal: controls, reversed reading order and invisible characters are shown as escapes.
 */
import { display, displayLines } from "../../text/display.ts";

/** Markup that is safe to put into a page. */
export type Html = { readonly markup: string };

type Part = Html | string | number | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

/** A template whose values are escaped, in elements and in quoted attributes alike, unless they are markup. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = texts.reduce(
    (all, text, at) => `${all}${text}${at < parts.length ? written(parts[at] ?? "") : ""}`,
    "",
  );
  return { markup };
}

function written(part: Part): string {
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return escaped(display(part));
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("");
}

/** Several lines of text, for elements that keep their line ends. */
export const lines = (text: string): Html => ({ markup: escaped(displayLines(text)) });

/** The content of a style or script of cra's own. */
export const own = (text: string): Html => ({ markup: text });

export const NOTHING: Html = { markup: "" };
