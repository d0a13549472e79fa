/** `cra search`. Exit code 1 when nothing matches. */
import { Failed } from "../../failure.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import { hitJson, hitText } from "../../present/search-hit.ts";
import { counted } from "../../text/counted.ts";
import { isQuick, NO_QUICK, NO_REFRESH } from "../options/package-options.ts";
import { REPOS } from "../options/selecting-options.ts";
import { nextStep } from "../output/next-step.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withApp, withProgress } from "../with-app.ts";

const LIMIT_DEFAULT = 20;

export const SEARCH: Command = {
  name: "search",
  summary: "search paths, symbols and content for words",
  arguments: [{ name: "query", summary: "words to look for; a|b finds either", required: true, isText: true }],
  options: [
    {
      flag: "--limit",
      value: "hits",
      whole: { least: 1, most: 1_000 },
      summary: `hits to show (default ${LIMIT_DEFAULT})`,
    },
    ...REPOS,
    NO_QUICK,
    NO_REFRESH,
  ],
  examples: [{ line: 'cra search "parse url" --limit 5', does: "the five best hits" }],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output } = context;
  const query = values.argument("query")?.trim() ?? "";
  if (query === "") throw new Failed({ code: "usage", message: "the query is empty", next: "see: cra search --help" });
  const limit = values.whole("--limit") ?? LIMIT_DEFAULT;
  return await withApp(context, async (app) => {
    const [refresh, quick] = [!values.switch("--no-refresh"), isQuick(values, ["--no-quick"])];
    const { hits, notices } = await withProgress(context, app, ({ progress: { update } }) =>
      app.search({ query, limit, refresh, quick, onProgress: update }, context.signal),
    );
    const note = notices.length === 0 ? {} : { note: notices.map(noticeSentence).join("; ") };
    for (const notice of notices) await output.notice(notice, nextStep(notice.code, app));
    if (output.mode.json) {
      await output.json({ schema_version: 1, query, limit, hits: hits.map(hitJson), ...note });
      return hits.length === 0 ? 1 : 0;
    }
    if (hits.length === 0)
      throw new Failed({ code: "no-match", message: `nothing matches ${JSON.stringify(query.slice(0, 100))}` });
    await output.marked(hits.map(hitText).join(""));
    if (hits.length === limit)
      await output.say(`cra: the best ${counted(limit, "hit")}; for more: --limit ${limit * 5}`);
    return 0;
  });
}
