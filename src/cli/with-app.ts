/**
 * Opens the world for a command, says what was noticed, and closes it again whatever happens.
 */
import type { App, AppRequest } from "../app.ts";
import { Failed } from "../failure.ts";
import type { Context } from "./command.ts";

export async function withApp<T>(
  { door, output, signal }: Context,
  request: AppRequest,
  use: (app: App) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const app = await (await door()).openApp(request);
  try {
    for (const notice of app.notices) await output.notice(notice);
    return await use(app);
  } finally {
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
