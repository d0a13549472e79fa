/** `cra forget`: deletes all the entries that are named, or none of them. */
import type { Entry } from "../../memory/entry.ts";
import { counted } from "../../text/counted.ts";
import { display } from "../../text/display.ts";
import { entryLine } from "../entries/entry-text.ts";
import { confirmLoss } from "../input/input.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

export const FORGET: Command = {
  name: "forget",
  summary: "delete memories and experiences for good",
  arguments: [{ name: "id", summary: "ids, or their first characters", required: true, variadic: true }],
  options: [{ flag: "--yes", summary: "do not ask for confirmation" }],
  examples: [{ line: "cra forget mem-1f3a exp-9c0b", does: "delete both, after asking" }],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, input, output } = context;
  return await withApp(context, async (app) => {
    const named = new Map<string, Entry>();
    for (const id of values.list("id")) {
      const entry = await app.memory.entry(id);
      named.set(entry.id, entry);
    }
    const entries = [...named.values()];
    if (input.canAsk && !values.switch("--yes")) await output.say(...entries.map(entryLine));
    if (!(await confirmLoss(context, "Delete", counted(entries.length, "entry", "entries")))) {
      await output.say("cra: nothing was deleted");
      return 1;
    }
    const forgotten = await app.memory.forget(entries);
    await output.result({
      json: () => ({ schema_version: 1, forgotten }),
      text: () => forgotten.map((entry) => `forgot ${display(entryLine(entry))}\n`).join(""),
    });
    return 0;
  });
}
