/** The tool `search`: full-text search of the index. */

import { z } from "zod";
import type { App } from "../../app/app.ts";
import type { SearchHit } from "../../db/curated/knowledge-base.ts";
import { Failed } from "../../failure.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import { SearchAnswer } from "../../present/answers.ts";
import { hitJson, hitText } from "../../present/search-hit.ts";
import { display } from "../../text/display.ts";
import { changedNotes } from "./changed-files.ts";
import { type Call, noted, tool } from "./tool.ts";

const HITS_DEFAULT = 10;
const HITS_MAX = 100;
const SearchInput = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(10_000)
    .describe("words to look for; identifiers match by their parts too; a|b finds either"),
  limit: z.int().min(1).max(HITS_MAX).optional().describe(`most hits, ${HITS_DEFAULT} by default`),
});

/** Without `status`, the index is as old as its repository. */
type SearchedApp = Pick<App, "search" | "changedFiles"> & Partial<Pick<App, "status">>;

export const SEARCH = tool({
  name: "search",
  title: "Search the index",
  description:
    'Looks up one name or phrase in paths, definitions and text, and returns ranked places with file and line. Use it when you know what something is called. For a task use retrieve, which returns the code itself. Example: {"query": "parse_header"}.',
  writes: false,
  isIdempotent: true,
  less: "ask for fewer hits with limit",
  input: SearchInput,
  output: SearchAnswer,
  async answer({ query: typed, limit = HITS_DEFAULT }, { app, follow, signal }: Call<SearchedApp>) {
    const query = typed.trim();
    if (query === "") throw new Failed({ code: "usage", message: "query: it is empty", next: "say what to look for" });
    const request = { query, limit, refresh: false, quick: true, onProgress: follow.onProgress };
    const { hits, notices } = await app.search(request, signal);
    const changed = app.changedFiles(hits.map(({ path }) => path));
    const notes = [
      ...notices.map(noticeSentence),
      ...(hits.length === limit ? [`these are the best ${limit}; raise limit for more`] : []),
      ...changedNotes(changed),
      ...(hits.length === 0 ? await staleNotes(app, signal) : []),
    ];
    const note = notes.length === 0 ? {} : { note: notes.join("; ") };
    const structured: SearchAnswer = {
      schema_version: 1,
      query,
      limit,
      hits: hits.map(hitJson),
      ...note,
    };
    const text = hits.length === 0 ? "Nothing matches.\n" : hits.map(placeText).join("");
    return { text: noted(text, note), structured };
  },
});

/** What may have been missed: files that are newer than the index, of each repository that is asked. */
async function staleNotes({ status }: SearchedApp, signal: AbortSignal): Promise<readonly string[]> {
  if (status === undefined) return [];
  const { stale, members } = await status(signal);
  const reasons = [stale, ...members.map((member) => member.stale && `${display(member.name)}: ${member.stale}`)];
  return reasons.flatMap((why) =>
    why === null ? [] : [`${noticeSentence({ code: "index-stale", why })}; retrieve brings it up to date`],
  );
}

/** A hit without a text that only repeats its path. */
function placeText(hit: SearchHit): string {
  const snippet = unmarked(hit.snippet);
  return unmarked(hitText({ ...hit, snippet: snippet === hit.path ? "" : snippet }));
}

/** Removes the marks around matches. */
const unmarked = (text: string): string => text.replaceAll("\u0001", "").replaceAll("\u0002", "");
