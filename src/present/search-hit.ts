/** A search hit as text and as JSON, for `cra search` and the search tool. */
import type { SearchHit } from "../db/curated/knowledge-base.ts";
import { display } from "../text/display.ts";
import type { SearchHitJson } from "./answers.ts";

/** `path:line  kind name` or `path:line  also in lines 2, 3`, and the text below, with what matches between U+0001 and U+0002. */
export function hitText({ path, line, more = [], kind, name, snippet }: SearchHit): string {
  const others = more.length === 0 ? null : `also in line${more.length === 1 ? "" : "s"} ${more.join(", ")}`;
  const what = [kind, name, others].filter((part) => part !== null).join(" ");
  const text = snippet.trim() === "" ? "" : `    ${snippet.trim().replaceAll(/(?<!\s)\s*\n\s*/g, "\n    ")}\n`;
  return `${display(path)}:${line}${what === "" ? "" : `  ${display(what)}`}\n${text}`;
}

/** `highlights` are positions in `text`, in UTF-16 units. */
export function hitJson({ snippet, more, ...hit }: SearchHit): SearchHitJson {
  const highlights: [number, number][] = [];
  let text = "";
  for (const part of snippet.split(/([\u0001\u0002])/)) {
    if (part === "\u0001") highlights.push([text.length, text.length]);
    else if (part === "\u0002")
      highlights.splice(-1, 1, ...highlights.slice(-1).map(([from]): [number, number] => [from, text.length]));
    else text += part;
  }
  return { ...hit, ...(more === undefined ? {} : { more: [...more] }), text, highlights };
}
