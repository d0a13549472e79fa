/** Where a finished package goes: standard output or a file, and with `--copy` also the clipboard. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { App } from "../../app/app.ts";
import { UNTRACKED } from "../../present/amounts.ts";
import type { Context } from "../syntax/command.ts";
import { copyText } from "./clipboard.ts";
import { writeWhole } from "./write-file.ts";

type DeliveryApp = Pick<App, "root" | "isUntracked">;

/** `path` is null for standard output, which `events` keeps for events. */
export type Target = { readonly path: string | null; readonly force: boolean; readonly events: boolean };

/** Writes the package to its target, and says so where git would list the file as new. */
export async function deliver(context: Context, text: string, target: Target, app: DeliveryApp): Promise<void> {
  if (target.path !== null) {
    writeWhole(target.path, text, target);
    await noteUntracked(context, target.path, app);
  } else if (!target.events) await context.output.data(text);
  if (context.values.switch("--copy")) await copyText(context, text, app.root);
}

/** Says of a written file that git would list it as new, if so. */
export async function noteUntracked({ output }: Context, path: string, app: DeliveryApp): Promise<void> {
  if (isUntrackedFile(app, path)) await output.say(`cra: note: ${path} ${UNTRACKED}`);
}

function isUntrackedFile(app: DeliveryApp, path: string): boolean {
  try {
    return app.isUntracked(realpathSync(resolve(path)));
  } catch {
    return false; // A device has no path of its own.
  }
}
