/**
 * Opens the world for a command, says what was noticed, and closes it again whatever happens.
 */
import type { App, AppRequest } from "../app/app-types.ts";
import { Failed } from "../failure.ts";
import type { Context } from "./syntax/command.ts";

export async function withApp<T>(
  { door, output, signal }: Context,
  request: AppRequest,
  use: (app: App) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const app = await (await door()).openApp(request);
  if (app.config.settings.allow_secrets) output.showSecrets();
  let said = 0;
  const sayNew = async (): Promise<void> => {
    for (const notice of app.notices.slice(said)) await output.notice(notice);
    said = app.notices.length;
  };
  try {
    await sayNew();
    return await use(app);
  } finally {
    await sayNew();
    app.close();
  }
}

/** The same for commands that need an index. Throws `not-indexed` without one. */
export function withIndexed<T>(context: Context, request: AppRequest, use: (app: App) => Promise<T>): Promise<T> {
  return withApp(context, request, async (app) => {
    if (!app.isIndexed()) throw new Failed({ code: "not-indexed", repo: app.root });
    return await use(app);
  });
}
