/**
 * What recall and premortem found, printed: Markdown, or one JSON object.
 */

import { counted } from "../../present/layout.ts";
import type { FormattedContext } from "../../recall/context/context-item.ts";
import type { ContextJson } from "../../recall/context/context-json.ts";
import type { Output } from "./output.ts";

/** Finding nothing is an answer: nothing is printed, and said on the side. */
export async function printContext(output: Output, context: FormattedContext): Promise<void> {
  if (output.look.json) {
    const json: ContextJson = { schema_version: 1, ...context };
    await output.json(json);
    return;
  }
  await output.data(context.markdown);
  if (context.items.length === 0) await output.say("cra: nothing was found");
  else await output.detail(`cra: ${counted(context.items.length, "item")}, ${context.token_count} tokens`);
}
