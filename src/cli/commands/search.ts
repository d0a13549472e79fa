/**
 * `cra search`: the best places for some words, one a line (`path:line  kind name`), with the text below.
 *
 * Exit code 1 when there is none.
 */
import type { SearchHit } from "../../db/curated/knowledge-base.ts";
import { Failed } from "../../failure.ts";
import type { SearchHitJson } from "../../present/answers.ts";
import { counted } from "../../present/layout.ts";
import { display } from "../../text/display.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Runner } from "../syntax/command.ts";
import { withIndexed } from "../with-app.ts";

const LIMIT_DEFAULT = 20;

export const run: Runner = async (context) => {
  const { values, output } = context;
  const query = values.argument("query")?.trim() ?? "";
  if (query === "") throw new Failed({ code: "usage", message: "the query is empty", next: "see: cra search --help" });
  const limit = values.whole("--limit") ?? LIMIT_DEFAULT;
  return await withIndexed(context, appRequest(context), async (app) => {
    const hits = app.search(query, limit);
    if (output.look.json) {
      await output.json({ schema_version: 1, query, limit, hits: hits.map(hitJson) });
      return hits.length === 0 ? 1 : 0;
    }
    if (hits.length === 0)
      throw new Failed({ code: "no-match", message: `nothing matches ${JSON.stringify(query.slice(0, 100))}` });
    await output.marked(hits.map(hitText).join(""));
    if (hits.length === limit)
      await output.say(`cra: the best ${counted(limit, "hit")}; for more: --limit ${limit * 5}`);
    return 0;
  });
};

export function hitText({ path, line, kind, name, snippet }: SearchHit): string {
  const what = [kind, name].filter((part) => part !== null).join(" ");
  const text = snippet.trim() === "" ? "" : `    ${snippet.trim().replaceAll(/\s*\n\s*/g, "\n    ")}\n`;
  return `${display(path)}:${line}${what === "" ? "" : `  ${display(what)}`}\n${text}`;
}

/** Positions of the emphasised parts are counted in UTF-16 units of `text`. */
export function hitJson({ snippet, ...hit }: SearchHit): SearchHitJson {
  const highlights: [number, number][] = [];
  let text = "";
  for (const part of snippet.split(/([\u0001\u0002])/)) {
    if (part === "\u0001") highlights.push([text.length, text.length]);
    else if (part === "\u0002")
      highlights.splice(-1, 1, ...highlights.slice(-1).map(([from]): [number, number] => [from, text.length]));
    else text += part;
  }
  return { ...hit, text, highlights };
}
