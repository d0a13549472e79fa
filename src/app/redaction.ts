/**
 * What takes secrets out of all that an app shows, sends and keeps: loaded once, unless the user wants to see them.
 *
 * Not here: what a secret is (`secrets/`), and what prints, which looks once more (`cli/output/redacting-sink.ts`).
 */

import type { Settings } from "../config/keys.ts";
import type { Embedder } from "../llm/embedder.ts";
import type { Model } from "../llm/model.ts";
import { NO_REDACTION, type Redactor } from "../secrets/redactor.ts";
import type { RetrieveRequest } from "./app-types.ts";

/** The redactor that the settings want. */
export async function openRedactor({ allow_secrets }: Pick<Settings, "allow_secrets">): Promise<Redactor> {
  return allow_secrets ? NO_REDACTION : (await import("../secrets/redact.ts")).REDACTOR;
}

/** A request as it may be analysed, logged and shown. */
export const withoutSecrets = <Request extends RetrieveRequest>(
  request: Request,
  { value, text }: Redactor,
): Request => ({
  ...request,
  task: text(request.task),
  hintPaths: value(request.hintPaths),
  hintSymbols: value(request.hintSymbols),
  template: value(request.template),
  ...(request.constraints === undefined ? {} : { constraints: value(request.constraints) }),
  ...(request.refines === undefined ? {} : { refines: value(request.refines) }),
});

/** A model that is sent no secrets, whatever it is asked. */
export const guardedModel = (model: Model, { text }: Redactor): Model => ({
  ...model,
  generate: (request, signal) =>
    model.generate({ ...request, system: text(request.system), prompt: text(request.prompt) }, signal),
});

/** The same of an embedding model. */
export const guardedEmbedder = (embedder: Embedder, { text }: Redactor): Embedder => ({
  ...embedder,
  embed: (texts, signal) => embedder.embed(texts.map(text), signal),
});
