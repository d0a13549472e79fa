/**
 * `cra premortem`: what went wrong before in such work, as Markdown. Finding nothing is no failure.
 */
import { Failed } from "../../failure.ts";
import { DOMAINS, STRATEGIES } from "../../memory/vocabulary.ts";
import { printContext } from "../output/print-context.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 1_000;
const MAX_TOKENS_DEFAULT = 1_500;

export const run: Runner = async (context) => {
  const { values, output, signal } = context;
  const strategy = values.text("--strategy");
  const request = {
    domain: oneOf(DOMAINS, "domain", values.argument("domain") ?? ""),
    strategy: strategy === undefined ? null : oneOf(STRATEGIES, "strategy", strategy),
    limit: Math.min(LIMIT_MAX, values.whole("--limit") ?? LIMIT_DEFAULT),
    maxTokens: values.whole("--max-tokens") ?? MAX_TOKENS_DEFAULT,
  };
  return await withApp(context, appRequest(context), async (app) => {
    await printContext(output, await app.premortem(request, signal));
    return 0;
  });
};

function oneOf<Name extends string>(names: readonly Name[], what: string, typed: string): Name {
  const found = names.find((name) => name === typed);
  if (found !== undefined) return found;
  throw new Failed({
    code: "usage",
    message: `there is no ${what} ${JSON.stringify(typed.slice(0, 40))}`,
    next: `known are ${names.join(", ")}`,
  });
}
