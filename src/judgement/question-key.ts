/**
 * Names a question by all that its answer depends on, so that it is asked once in the life of a task.
 *
 * Not in it: the token of the fence, which is new for each run; keys of candidates, which never leave the process; the
 * address of the server. Texts are taken as they are put, in their order.
 */
import { createHash } from "node:crypto";
import { PROMPT_VERSION } from "./prompt.ts";

/** What a call asks, apart from its fence. `texts` are those of its candidates. */
export type AskedCall = {
  readonly model: string;
  readonly stage: string;
  readonly classes: readonly string[];
  readonly instruction: string;
  readonly task: string;
  readonly texts: readonly string[];
};

/** 64 hexadecimal characters. */
export function fingerprint({ model, stage, classes, instruction, task, texts }: AskedCall): string {
  return createHash("sha256")
    .update(JSON.stringify([PROMPT_VERSION, model, stage, classes, instruction, task, texts]))
    .digest("hex");
}
