/** Opens the app for a command, prints its notices, and closes it in any case. */
import type { App, AppRequest } from "../app/app-types.ts";
import { Failed } from "../failure.ts";
import type { Context } from "./syntax/command.ts";

export async function withApp<T>(
  { loadApp, output, signal }: Context,
  request: AppRequest,
  use: (app: App) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const app = await (await loadApp()).openApp(request);
  if (app.config.settings.allow_secrets) output.showSecrets();
  let printed = 0;
  const printNew = async (): Promise<void> => {
    for (const notice of app.notices.slice(printed)) await output.notice(notice);
    printed = app.notices.length;
  };
  try {
    await printNew();
    return await use(app);
  } finally {
    await printNew();
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
