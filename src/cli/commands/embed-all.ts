/**
 * `cra recall --embed-all`: has a model make the vectors that recall compares by meaning, all that are missing.
 *
 * What was made is kept when it is stopped, and the next run goes on there.
 */

import type { App } from "../../app/app-types.ts";
import type { EmbedSummary } from "../../app/embed.ts";
import { Failed } from "../../failure.ts";
import { counted } from "../../present/layout.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

/** Runs `cra recall --embed-all`. */
export const embedAll: Runner = async (context) => {
  const { values, output } = context;
  if (values.argument("query") !== undefined)
    throw new Failed({
      code: "usage",
      message: "--embed-all looks for nothing",
      next: "leave out the query, and ask it afterwards",
    });
  return await withApp(context, appRequest(context), async (app) => {
    const model = app.config.settings.embedding_model;
    if (model === null)
      throw new Failed({
        code: "usage",
        message: "--embed-all needs an embedding model to ask",
        next: "name one with --embedding-model, or as embedding_model in your own settings",
      });
    const summary = await follow(context, app, model);
    if (output.look.json) await output.json(summaryJson(summary));
    else await output.data(summaryText(summary));
    return 0;
  });
};

async function follow({ output, signal }: Context, app: App, model: string): Promise<EmbedSummary> {
  const progress = output.progress(app.nowMs);
  const said: Parameters<typeof output.notice>[0][] = [];
  try {
    return await app.embedAll(
      model,
      { onNotice: (notice) => void said.push(notice), onProgress: progress.update },
      signal,
    );
  } finally {
    await progress.clear();
    for (const notice of said) await output.notice(notice);
  }
}

function summaryText({ model, memory, index }: EmbedSummary): string {
  const parts = [
    `${counted(memory, "text")} that ${memory === 1 ? "is" : "are"} remembered`,
    ...(index === null ? [] : [counted(index.definitions, "definition"), counted(index.commits, "commit")]),
  ];
  const without = index === null ? "definitions and commits have none: not indexed; run: cra index\n" : "";
  return `made vectors with ${model}: ${parts.join(", ")}\n${without}`;
}

const summaryJson = ({ model, memory, index }: EmbedSummary) => ({
  schema_version: 1,
  model,
  memory,
  definitions: index?.definitions ?? null,
  commits: index?.commits ?? null,
});
