/** Where a finished package goes: standard output or a file, and with `--copy` also the clipboard. */
import type { Context } from "../syntax/command.ts";
import { copyText } from "./clipboard.ts";
import { writeWhole } from "./write-file.ts";

/** `path` is null for standard output, which `events` keeps for events. */
export type Target = { readonly path: string | null; readonly force: boolean; readonly events: boolean };

const UNTRACKED =
  "cra: note: the file lies in the repository, and git neither tracks nor ignores it; cra never puts it into a package";

export async function deliver(context: Context, text: string, target: Target, root: string): Promise<void> {
  if (target.path !== null) {
    writeWhole(target.path, text, target);
    const { isUntracked } = await import("../../source/walk/untracked.ts");
    if (isUntracked(root, target.path, context.environment.variables)) await context.output.say(UNTRACKED);
  } else if (!target.events) await context.output.data(text);
  if (context.values.switch("--copy")) await copyText(context, text, root);
}
