/**
 * `cra forget`: removes memories and experiences for good, all that are named or none.
 */
import { Failed } from "../../failure.ts";
import type { Entry } from "../../memory/entry.ts";
import { counted } from "../../present/layout.ts";
import { display } from "../../text/display.ts";
import { entryLine } from "../entries/entry-text.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

export const run: Runner = async (context) => {
  const { values, output } = context;
  return await withApp(context, appRequest(context), async (app) => {
    const meant = new Map<string, Entry>();
    for (const id of values.list("id")) {
      const entry = await app.memory.entry(id);
      meant.set(entry.id, entry);
    }
    const entries = [...meant.values()];
    if (!(await mayForget(context, entries))) {
      await output.say("cra: nothing was forgotten");
      return 1;
    }
    const forgotten = await app.memory.forget(entries);
    if (output.look.json) await output.json({ schema_version: 1, forgotten });
    else await output.data(forgotten.map((entry) => `forgot ${display(entryLine(entry))}\n`).join(""));
    return 0;
  });
};

/** What nothing brings back is removed only when somebody says so once more. */
async function mayForget({ values, input, output, signal }: Context, entries: readonly Entry[]): Promise<boolean> {
  if (values.switch("--yes")) return true;
  const what = counted(entries.length, "entry", "entries");
  if (!input.canAsk)
    throw new Failed({ code: "usage", message: `nothing brings back ${what}`, next: "add --yes to forget" });
  await output.say(entries.map(entryLine).map(display).join("\n"));
  const answer = await input.confirm(`Forget ${what}? Nothing brings ${entries.length === 1 ? "it" : "them"} back.`);
  signal.throwIfAborted();
  return answer;
}
