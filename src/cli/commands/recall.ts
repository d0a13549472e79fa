/**
 * `cra recall`: what is known about something, from all sources, as Markdown; `--list` and `--embed-all` are other parts.
 *
 * Finding nothing is no failure. What a source could not answer, and a text that is longer than it should be, are notices.
 */
import { Failed } from "../../failure.ts";
import { CONTEXT_TYPES, contextTypes } from "../../recall/context/context-item.ts";
import { listEntries } from "../entries/list-entries.ts";
import { printContext } from "../output/print-context.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Runner } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { withApp } from "../with-app.ts";
import { embedAll } from "./embed-all.ts";

const LIMIT_DEFAULT = 20;
/** Lists can be longer. */
const LIMIT_MAX = 1_000;
const MAX_TOKENS_DEFAULT = 2_000;

export const run: Runner = async (context) => {
  const { values, output, signal } = context;
  if (values.switch("--list")) return await listEntries(context);
  if (values.switch("--embed-all")) return await embedAll(context);
  const request = recallRequest(values);
  return await withApp(context, appRequest(context), async (app) => {
    await printContext(output, await app.recall(request, signal));
    return 0;
  });
};

function recallRequest(values: Values) {
  const query = values.argument("query")?.trim() ?? "";
  if (query === "")
    throw new Failed({
      code: "usage",
      message: "the query is empty",
      next: 'say what it is about: cra recall "session cookies", or list what is stored: cra recall --list',
    });
  const typed = values.text("--types");
  const limit = values.whole("--limit") ?? LIMIT_DEFAULT;
  if (limit > LIMIT_MAX)
    throw new Failed({ code: "usage", message: `--limit is ${LIMIT_MAX} at most, but with --list` });
  return {
    query,
    types: typed === undefined ? CONTEXT_TYPES : contextTypes(typed.split(",").map((name) => name.trim())),
    limit,
    maxTokens: values.whole("--max-tokens") ?? MAX_TOKENS_DEFAULT,
  };
}
