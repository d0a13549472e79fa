/** Renders what a further round adds as Markdown: the new parts in full, and the names of what stays and of what left. */
import { pathCode, plain } from "../../text/markdown.ts";
import type { ShownItem } from "../model/changes.ts";
import type { RoundNews } from "../model/round-news.ts";
import { renderMarkdown } from "./markdown.ts";

const GIVEN_BEFORE = "## Given Before and Unchanged";

/** Ends with a newline. The task is shown as the package has it. */
export function renderNews({ since, part, kept, dropped }: RoundNews): string {
  const lists = [
    { title: since === null ? GIVEN_BEFORE : `## Unchanged Since Round ${since}`, items: kept },
    { title: "## No Longer Shown", items: dropped },
  ].filter(({ items }) => items.length > 0);
  return [renderMarkdown(part), ...lists.map(({ title, items }) => `${title}\n${namesText(items)}\n`)].join("\n");
}

/** The session has all of them. */
const FILES_MAX = 30;
const NAMES_MAX = 6;

/** A line for each file, with what is shown of it. */
function namesText(items: readonly ShownItem[]): string {
  const files = [...Map.groupBy(items, ({ path }) => path)];
  const lines = files.slice(0, FILES_MAX).map(([path, own]) => {
    const names = [...new Set(own.map(({ item }) => item))];
    const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : "";
    return `${pathCode(path)}: ${plain(names.slice(0, NAMES_MAX).join(", "))}${more}`;
  });
  return [...lines, ...(files.length > FILES_MAX ? [`and ${files.length - FILES_MAX} more files`] : [])].join("\n");
}
