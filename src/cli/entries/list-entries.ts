/** `cra recall --list`: stored entries; with `--json` in the form that `cra remember --import` reads. */
import type { EntryFilter } from "../../db/memory/store.ts";
import { exitCode } from "../../failure.ts";
import type { EntryList } from "../../memory/entry-list.ts";
import { CONFIDENCES, DOMAINS, MEMORY_CATEGORIES, OUTCOMES, STRATEGIES } from "../../memory/vocabulary.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { withApp } from "../with-app.ts";
import { entryTable, entryText } from "./entry-text.ts";

/** Exit code of the failure when an entry cannot be read. */
export async function listEntries(context: Context): Promise<number> {
  const { values, output } = context;
  const filter = filterOf(values);
  return await withApp(context, async (app) => {
    const { entries, damages } = await app.memory.list(filter);
    if (output.mode.json) {
      const list: EntryList = { schema_version: 1, entries: [...entries] };
      await output.json(list);
    } else if (entries.length === 0 && damages.length === 0) {
      await output.data(Object.keys(filter).length === 0 ? "there are no entries\n" : "no entry matches\n");
    } else await output.data(output.mode.verbose ? entries.map(entryText).join("\n") : entryTable(entries));
    const [damage] = damages;
    if (damage === undefined) return 0;
    const what =
      damages.length === 1 ? "1 entry cannot be read and is" : `${damages.length} entries cannot be read and are`;
    await output.say(`cra: ${what} not listed: ${damage.message}`);
    return exitCode(damage.failure);
  });
}

function filterOf(values: Values): EntryFilter {
  const type = oneOf(["memory", "experience"] as const, values.text("--type"));
  const category = oneOf(MEMORY_CATEGORIES, values.text("--category"));
  const domain = oneOf(DOMAINS, values.text("--domain"));
  const strategy = oneOf(STRATEGIES, values.text("--strategy"));
  const outcome = oneOf([...OUTCOMES, "open"] as const, values.text("--outcome"));
  const confidence = oneOf(CONFIDENCES, values.text("--confidence"));
  const text = values.argument("query");
  const limit = values.whole("--limit");
  return {
    ...(type && { type }),
    ...(category && { category }),
    ...(domain && { domain }),
    ...(strategy && { strategy }),
    ...(outcome && { outcome }),
    ...(confidence && { confidence }),
    ...(text === undefined ? {} : { text }),
    ...(limit === undefined ? {} : { limit }),
  };
}

const oneOf = <Name extends string>(names: readonly Name[], typed: string | undefined): Name | undefined =>
  names.find((name) => name === typed);
