/** `cra recall`: as Markdown. Finding nothing is not a failure; a source that could not answer is a notice. */

import type { EmbedSummary } from "../../app/memory/embed.ts";
import { Failed } from "../../failure.ts";
import { CONFIDENCES, DOMAINS, MEMORY_CATEGORIES, OUTCOMES } from "../../memory/vocabulary.ts";
import { CONTEXT_TYPES, contextTypes } from "../../recall/context/context-types.ts";
import { counted } from "../../text/counted.ts";
import { limitOption, maxTokensOption, strategyOption } from "../options/memory-options.ts";
import { EMBEDDING_OPTIONS } from "../options/model-options.ts";
import { NO_REFRESH } from "../options/package-options.ts";
import { printContext } from "../output/print-context.ts";
import { locationText } from "../requests/app-request.ts";
import type { Command, Context, Option } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { withApp, withProgress } from "../with-app.ts";

const LIMIT_DEFAULT = 20;
/** Lists may be longer. */
const LIMIT_MAX = 1_000;
const MAX_TOKENS_DEFAULT = 2_000;

const LISTED = { needs: ["--list"] } as const;

const LIST_OPTIONS: readonly Option[] = [
  {
    flag: "--list",
    summary: "list stored entries, newest first; a query keeps those that contain all its words",
    conflicts: ["--types", "--max-tokens"],
  },
  {
    flag: "--type",
    value: "name",
    choices: ["memory", "experience"],
    summary: "list only this kind of entry: memory, experience",
    ...LISTED,
  },
  {
    flag: "--category",
    value: "name",
    choices: MEMORY_CATEGORIES,
    summary: `list memories of this category: ${MEMORY_CATEGORIES.join(", ")}`,
    ...LISTED,
  },
  {
    flag: "--domain",
    value: "name",
    choices: DOMAINS,
    summary: `list experiences in this kind of work: ${DOMAINS.join(", ")}`,
    ...LISTED,
  },
  { ...strategyOption("list experiences that used this strategy"), ...LISTED },
  {
    flag: "--outcome",
    value: "name",
    choices: [...OUTCOMES, "open"],
    summary: `list experiences with this outcome: ${OUTCOMES.join(", ")}; open for unfinished ones`,
    ...LISTED,
  },
  {
    flag: "--confidence",
    value: "name",
    choices: CONFIDENCES,
    summary: `list experiences of this confidence: ${CONFIDENCES.join(", ")}`,
    ...LISTED,
  },
];

export const RECALL: Command = {
  name: "recall",
  summary: "find what is known about a topic: memories, code, experiences, values, commits",
  arguments: [{ name: "query", summary: "the topic, in words", required: false, isText: true }],
  options: [
    {
      flag: "--types",
      value: "names",
      summary: `sources to search, such as memories,code: ${CONTEXT_TYPES.join(", ")}; all by default`,
    },
    limitOption(`items from each source (default ${LIMIT_DEFAULT}); with --list, entries (all by default)`),
    maxTokensOption(MAX_TOKENS_DEFAULT),
    { ...NO_REFRESH, conflicts: ["--list", "--embed-all"] },
    ...EMBEDDING_OPTIONS,
    {
      flag: "--embed-all",
      summary: "compute every missing vector of memories, experiences, definitions and commits with that model",
      conflicts: ["--list", "--types", "--limit", "--max-tokens"],
    },
    ...LIST_OPTIONS,
  ],
  examples: [
    { line: 'cra recall "session cookies expire early"', does: "what was learned, written and changed about it" },
    { line: 'cra recall "retry logic" --types experiences,commits --max-tokens 800', does: "from two sources" },
    {
      line: "cra recall --embed-all --embedding-model nomic-embed-text",
      does: "so that every text is found by meaning; can be stopped and continued",
    },
    { line: "cra recall --list --outcome open", does: "unfinished experiences" },
    { line: "cra recall --list --json > kept.json", does: "everything, for cra remember --import" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output, signal } = context;
  if (values.switch("--list")) return await (await import("../entries/list-entries.ts")).listEntries(context);
  if (values.switch("--embed-all")) return await embedAll(context);
  const request = recallRequest(values);
  const isRefreshed = !values.switch("--no-refresh");
  return await withApp(context, async (app) => {
    const found = await withProgress(context, app, ({ progress: { update } }) =>
      app.recall({ ...request, ...(isRefreshed ? { onRefresh: update } : {}) }, signal),
    );
    await printContext(output, found);
    return 0;
  });
}

function recallRequest(values: Values) {
  const query = values.argument("query")?.trim() ?? "";
  if (query === "")
    throw new Failed({
      code: "usage",
      message: "the query is empty",
      next: 'name a topic: cra recall "session cookies", or list what is stored: cra recall --list',
    });
  const typed = values.text("--types");
  const limit = values.whole("--limit") ?? LIMIT_DEFAULT;
  if (limit > LIMIT_MAX) throw new Failed({ code: "usage", message: `--limit is at most ${LIMIT_MAX} without --list` });
  return {
    query,
    types: typed === undefined ? CONTEXT_TYPES : contextTypes(typed.split(",").map((name) => name.trim())),
    limit,
    maxTokens: values.whole("--max-tokens") ?? MAX_TOKENS_DEFAULT,
  };
}

/** Vectors that are done are kept when it is stopped, and the next run continues there. */
async function embedAll(context: Context): Promise<number> {
  const { values, output, signal } = context;
  if (values.argument("query") !== undefined)
    throw new Failed({
      code: "usage",
      message: "--embed-all takes no query",
      next: "leave out the query, and ask it afterwards",
    });
  return await withApp(context, async (app) => {
    const model = app.config.settings.embedding_model;
    if (model === null)
      throw new Failed({
        code: "usage",
        message: "--embed-all needs an embedding model",
        next: "name one with --embedding-model, or set embedding_model in your own config.toml",
      });
    const summary = await withProgress(context, app, ({ progress, onNotice }) =>
      app.embedAll(model, { onNotice, onProgress: progress.update }, signal),
    );
    await output.result({ json: () => embeddedJson(summary), text: () => embeddedText(summary, locationText(values)) });
    return 0;
  });
}

function embeddedText({ model, memory, index }: EmbedSummary, location: string): string {
  const parts = [
    counted(memory, "memory text"),
    ...(index === null ? [] : [counted(index.definitions, "definition"), counted(index.commits, "commit")]),
  ];
  const without = index === null ? `none for definitions and commits: not indexed; run: cra index${location}\n` : "";
  return `made vectors with ${model}: ${parts.join(", ")}\n${without}`;
}

const embeddedJson = ({ model, memory, index }: EmbedSummary) => ({
  schema_version: 1,
  model,
  memory,
  definitions: index?.definitions ?? null,
  commits: index?.commits ?? null,
});
