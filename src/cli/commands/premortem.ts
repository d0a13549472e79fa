/** `cra premortem`: as Markdown. Finding nothing is not a failure. */
import { DOMAINS, STRATEGIES } from "../../memory/vocabulary.ts";
import { limitOption, maxTokensOption, strategyOption } from "../options/memory-options.ts";
import { EMBEDDING_OPTIONS } from "../options/model-options.ts";
import { printContext } from "../output/print-context.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 1_000;
const MAX_TOKENS_DEFAULT = 1_500;

export const PREMORTEM: Command = {
  name: "premortem",
  summary: "show earlier failures, surprises, root causes and principles in a kind of work",
  arguments: [{ name: "domain", summary: DOMAINS.join(", "), required: true, choices: DOMAINS }],
  options: [
    strategyOption("also show how this strategy went"),
    limitOption(`items in each section (default ${LIMIT_DEFAULT})`),
    maxTokensOption(MAX_TOKENS_DEFAULT),
    ...EMBEDDING_OPTIONS,
  ],
  examples: [
    { line: "cra premortem debugging", does: "before you look for a bug" },
    { line: "cra premortem performance --strategy trial-and-error", does: "before you try things out" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output, signal } = context;
  const domain = DOMAINS.find((name) => name === values.argument("domain"));
  if (domain === undefined) throw new Error("the domain was not checked");
  const request = {
    domain,
    strategy: STRATEGIES.find((name) => name === values.text("--strategy")) ?? null,
    limit: Math.min(LIMIT_MAX, values.whole("--limit") ?? LIMIT_DEFAULT),
    maxTokens: values.whole("--max-tokens") ?? MAX_TOKENS_DEFAULT,
  };
  return await withApp(context, async (app) => {
    await printContext(output, await app.premortem(request, signal));
    return 0;
  });
}
