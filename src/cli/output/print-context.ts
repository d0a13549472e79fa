/** Prints what recall and premortem found. */

import type { ContextJson, FormattedContext } from "../../recall/context/context-json.ts";
import { counted } from "../../text/counted.ts";
import type { Output } from "./output.ts";

/** When nothing was found, stdout stays empty and stderr says so. */
export async function printContext(output: Output, context: FormattedContext): Promise<void> {
  if (output.mode.json) {
    const json: ContextJson = { schema_version: 1, ...context };
    await output.json(json);
    return;
  }
  await output.data(context.markdown);
  if (context.items.length === 0) await output.say("cra: nothing was found");
  else await output.detail(`cra: ${counted(context.items.length, "item")}, ${context.token_count} tokens`);
}
