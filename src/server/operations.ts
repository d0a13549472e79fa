/**
 * The questions of the JSON API, one row each: what a request may hold, and how it is answered.
 *
 * Answers are the bytes that `cra retrieve`, `cra search --json` and `cra explain --json` print.
 */
import { z } from "zod";
import type { ServedApp } from "../app/serving/served-app.ts";
import { Failed } from "../failure.ts";
import { following } from "../mcp/progress.ts";
import type { Notice } from "../notice.ts";
import { noticeSentence } from "../notice-sentence.ts";
import { ExplainAnswer, SearchAnswer } from "../present/answers.ts";
import { explanationJson } from "../present/explanation.ts";
import { hitJson } from "../present/search-hit.ts";
import type { PipelineEvent } from "../retrieval/model/events.ts";
import { Bundle, ContextPackage } from "../retrieval/model/package-schema.ts";
import { FORMAT_NAMES, FORMATS } from "../retrieval/render/formats.ts";
import { withLastLineFeed } from "../text/lines.ts";
import { type Named, namedOnce, REPOSITORIES_MAX } from "./ask.ts";
import { PackageFields, packageRequest } from "./package-request.ts";

/** `onEvent` gets what happens on the way; null where nobody wants to know. */
export type Ask = {
  readonly app: ServedApp;
  readonly signal: AbortSignal;
  readonly onEvent: ((event: PipelineEvent) => void) | null;
};

type Answered = { readonly type: string; readonly text: string };

/** `prepared` checks a request, and throws a usage failure for a wrong one. The returned function does the work. */
export type Operation = {
  readonly path: `/v1/${string}`;
  readonly summary: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** The types of answers that are texts. */
  readonly texts: readonly string[];
  /** Whether it has events on the way. */
  readonly hasEvents: boolean;
  /** The repository that is asked, and what to do with it. The text is for the log. */
  prepared(body: unknown): {
    readonly repository: Named;
    readonly asked: string;
    readonly hasEvents: boolean;
    readonly answer: (ask: Ask) => Promise<Answered>;
  };
};

/** The most tokens of a package. */
const BUDGET_MAX = 200_000;
const HITS_DEFAULT = 20;
const HITS_MAX = 1_000;
const JSON_TYPE = "application/json";

const repository = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .describe("the repository to ask; not needed with a token that may read only one");
const repositories = z
  .array(z.string().min(1).max(500))
  .min(1)
  .max(REPOSITORIES_MAX)
  .optional()
  .describe("several to ask as one, by name or with * for any letters; paths begin with their names");

const RetrieveBody = PackageFields.extend({
  repository,
  repositories,
  format: z.enum(FORMAT_NAMES).optional().describe("json by default; the others are texts"),
});
const SearchBody = z.strictObject({
  repository,
  repositories,
  query: z.string().min(1).max(10_000).describe("words to look for; identifiers match by their parts too"),
  limit: z.int().min(1).max(HITS_MAX).optional().describe(`most hits to return, ${HITS_DEFAULT} by default`),
});
const ExplainBody = PackageFields.extend({
  repository,
  repositories,
  what: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe("a file, folder, symbol or path:line; by default all files of the package"),
});

const SIZES = { budgetDefault: null, budgetMax: BUDGET_MAX } as const;

const RETRIEVE: Operation = {
  path: "/v1/retrieve",
  summary: "the code that a task needs, as one package within a token budget",
  input: RetrieveBody,
  output: z.union([ContextPackage, Bundle]),
  texts: FORMAT_NAMES.map((name) => FORMATS[name].mediaType).filter((type) => type !== JSON_TYPE),
  hasEvents: true,
  prepared(body) {
    const { repository: name, repositories: names, format = "json", ...fields } = checked(RetrieveBody, body);
    return {
      repository: namedOnce(name, names),
      asked: fields.task ?? "",
      hasEvents: format === "json",
      async answer({ app, signal, onEvent }) {
        const request = packageRequest(fields, app.config, { ...SIZES, format });
        const events = app.retrieve(request, signal);
        const { rendered } = await following(app.nowMs, null).run(onEvent === null ? events : told(events, onEvent));
        return { type: FORMATS[format].mediaType, text: withLastLineFeed(app.redactor.text(rendered)) };
      },
    };
  },
};

const SEARCH: Operation = {
  path: "/v1/search",
  summary: "ranked places of a name or phrase in paths, definitions and text",
  input: SearchBody,
  output: SearchAnswer,
  texts: [],
  hasEvents: false,
  prepared(body) {
    const { repository: name, repositories: names, query: typed, limit = HITS_DEFAULT } = checked(SearchBody, body);
    const query = typed.trim();
    if (query === "") throw new Failed({ code: "usage", message: "query: it is empty", next: "say what to look for" });
    return {
      repository: namedOnce(name, names),
      asked: query,
      hasEvents: false,
      async answer({ app, signal }) {
        const { hits, notices } = await app.search(
          { query, limit, refresh: false, quick: false, onProgress: () => {} },
          signal,
        );
        const found: SearchAnswer = { schema_version: 1, query, limit, hits: hits.map(hitJson), ...noteOf(notices) };
        return jsonAnswer(app, found);
      },
    };
  },
};

const EXPLAIN: Operation = {
  path: "/v1/explain",
  summary: "why files and symbols are in the package of a task, or not",
  input: ExplainBody,
  output: ExplainAnswer,
  texts: [],
  hasEvents: false,
  prepared(body) {
    const { repository: name, repositories: names, what, ...fields } = checked(ExplainBody, body);
    return {
      repository: namedOnce(name, names),
      asked: fields.task ?? "",
      hasEvents: false,
      async answer({ app, signal }) {
        const request = packageRequest(fields, app.config, { ...SIZES, format: "json" });
        const found = await app.explain(request, what ?? null, signal);
        return jsonAnswer(app, { ...explanationJson(found), ...noteOf(found.notices) });
      },
    };
  },
};

export const OPERATIONS: readonly Operation[] = [RETRIEVE, SEARCH, EXPLAIN];

/** The same events, each told on its way, except the package. */
async function* told<Result>(
  events: AsyncGenerator<PipelineEvent, Result>,
  onEvent: (event: PipelineEvent) => void,
): AsyncGenerator<PipelineEvent, Result> {
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
    if (step.value.event !== "package") onEvent(step.value);
    yield step.value;
  }
}

const noteOf = (notices: readonly Notice[]): { readonly note?: string } =>
  notices.length === 0 ? {} : { note: notices.map(noticeSentence).join("; ") };

const jsonAnswer = ({ redactor }: ServedApp, value: unknown): Answered => ({
  type: JSON_TYPE,
  text: redactor.text(`${JSON.stringify(redactor.value(value), null, 2)}\n`),
});

/** Throws a usage failure that names the first field that is wrong. */
function checked<Input>(type: z.ZodType<Input>, body: unknown): Input {
  const found = type.safeParse(body);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const at = issue?.path.map(String).join(".") ?? "";
  const message = `${at === "" ? "the request" : at.slice(0, 100)}: ${(issue?.message ?? "not understood").slice(0, 300)}`;
  throw new Failed({ code: "usage", message, next: "see GET /openapi.json" });
}
