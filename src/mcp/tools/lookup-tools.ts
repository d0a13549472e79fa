/**
 * The tools that read what is indexed and recorded: `search`, `explain`, `status`. None of them writes anything.
 */
import { z } from "zod";
import { Failed } from "../../failure.ts";
import { ExplainAnswer, SearchAnswer, StatusAnswer } from "../../present/answers.ts";
import { explanationJson, explanationText } from "../../present/explanation.ts";
import { hitJson, hitText } from "../../present/search-hit.ts";
import { statusJson, statusText } from "../../present/status-report.ts";
import { display } from "../../text/display.ts";
import { type Call, tool } from "./tool.ts";

const HITS_DEFAULT = 10;
const HITS_MAX = 100;
/** Of an explanation of a whole run. */
const FILES_MAX = 60;
/** Of one file: a large one has hundreds. */
const DECISIONS_MAX = 60;

const SearchInput = z.strictObject({
  query: z.string().min(1).max(10_000).describe("words to look for; identifiers match by their parts too"),
  limit: z.int().min(1).max(HITS_MAX).optional().describe(`hits to give, ${HITS_DEFAULT} by default`),
});

export const SEARCH = tool({
  name: "search",
  title: "Search the index",
  description:
    "Full-text search over the paths, symbols and content of this repository, ranked, each hit with its file and line. Use it to look up one name or phrase; for a task use retrieve, which gives the code itself. Needs an index, which the first retrieve makes.",
  writes: false,
  isIdempotent: true,
  less: "ask for fewer hits with limit",
  input: SearchInput,
  output: SearchAnswer,
  async answer({ query: typed, limit = HITS_DEFAULT }, { app }) {
    const query = typed.trim();
    if (query === "") throw new Failed({ code: "usage", message: "query: it is empty", next: "say what to look for" });
    const hits = indexed(app).search(query, limit);
    const changed = app.changedFiles(hits.map(({ path }) => path));
    const notes = [
      ...(hits.length === limit ? [`these are the best ${limit}; for more ask for a larger limit`] : []),
      ...(changed.length === 0 ? [] : [changedNote(changed)]),
    ];
    const note = notes.length === 0 ? {} : { note: notes.join("; ") };
    const structured: SearchAnswer = {
      schema_version: 1,
      query,
      limit,
      hits: hits.map(hitJson),
      ...note,
    };
    const text = hits.length === 0 ? "Nothing matches.\n" : hits.map((hit) => unmarked(hitText(hit))).join("");
    return { text: noted(text, note), structured };
  },
});

/** Files that one note names. */
const NAMED_MAX = 5;

function changedNote(paths: readonly string[]): string {
  const more = paths.length <= NAMED_MAX ? "" : ` and ${paths.length - NAMED_MAX} more`;
  return `changed since they were indexed, so lines may have moved: ${display(paths.slice(0, NAMED_MAX).join(", "))}${more}; retrieve brings the index up to date`;
}

const noted = (text: string, { note }: { readonly note?: string }): string =>
  note === undefined ? text : `${text}\nNote: ${note}\n`;

/** Without the marks around what matches. */
const unmarked = (text: string): string => text.replaceAll("\u0001", "").replaceAll("\u0002", "");

const ExplainInput = z.strictObject({
  task_id: z.string().min(1).max(100).describe("of a package, or the beginning of it"),
  what: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe("a file, folder or symbol (a name, or path:name); all files of the package by default"),
});

export const EXPLAIN = tool({
  name: "explain",
  title: "Explain a package",
  description:
    "Says why files and symbols are in a package or are not: rank, score with its parts, and the reason of each decision. Use it when a package from retrieve lacks something you expected or holds something odd, before you refine.",
  writes: false,
  isIdempotent: true,
  less: "ask about one file or symbol with what",
  input: ExplainInput,
  output: ExplainAnswer,
  async answer({ task_id, what }, { app }) {
    const found = await app.explain(task_id, what ?? null);
    const isThing = found.about === "thing";
    const files = found.files.slice(0, FILES_MAX);
    const decisions = isThing ? found.decisions.slice(0, DECISIONS_MAX) : [];
    const hidden = [
      [found.files.length - files.length, "files"],
      [found.decisions.length - decisions.length, "decisions"],
    ] as const;
    const left = hidden.flatMap(([count, name]) => (count === 0 ? [] : [`${count} ${name}`]));
    const note =
      left.length === 0 ? {} : { note: `${left.join(" and ")} left out; ask about a file or symbol with what` };
    const shown = { ...found, files, decisions };
    const text = explanationText(shown, false);
    const structured: ExplainAnswer = { ...explanationJson(shown), ...note };
    return { text: noted(text, note), structured };
  },
});

export const STATUS = tool({
  name: "status",
  title: "State of the index",
  description:
    "Says which repository this server answers for, what of it is indexed, whether the index is older than the files, and which versions are at work. Use it when answers look wrong or out of date; retrieve brings the index up to date by itself.",
  writes: false,
  isIdempotent: true,
  less: "there is nothing to ask for less with",
  input: z.strictObject({}),
  output: StatusAnswer,
  async answer(_, { app, signal }) {
    const status = await app.status(signal);
    return { text: statusText(status), structured: statusJson(status) };
  },
});

/** Throws where there is no index yet. */
function indexed(app: Call["app"]): Call["app"] {
  if (app.isIndexed()) return app;
  throw new Failed({
    code: "usage",
    message: `${app.root} is not indexed`,
    next: "call retrieve, which indexes it, or run: cra index",
  });
}
