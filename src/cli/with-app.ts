/** Opens the app for a command and closes it in any case; shows the progress of its long jobs. */
import type { App } from "../app/app.ts";
import type { AppRequest } from "../app/workspace/environment.ts";
import { Failed } from "../failure.ts";
import type { Notice } from "../notice.ts";
import type { Progress } from "./output/progress.ts";
import { appRequest } from "./requests/app-request.ts";
import type { Context } from "./syntax/command.ts";

/** Opens the app that the global options name. */
export const withApp = <T>(context: Context, use: (app: App) => Promise<T>): Promise<T> =>
  withAppOf(context, appRequest(context), use);

/** Prints the app's notices as they come. */
export async function withAppOf<T>(
  { loadApp, output, signal }: Context,
  request: AppRequest,
  use: (app: App) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const app = await (await loadApp()).openApp(request, async (...asked) =>
    (await import("../app/serving/stored-members.ts")).openStoredMembers(...asked),
  );
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

/** Throws `not-indexed` if there is no index. */
export function requireIndex(app: App): void {
  if (!app.isIndexed()) throw new Failed({ code: "not-indexed", repo: app.root });
}

type Job = { readonly progress: Progress; onNotice(notice: Notice): void };

/** Runs a job with a line of progress, which is erased at the end; then prints the notices of the job. */
export async function withProgress<T>(
  { output }: Pick<Context, "output">,
  { nowMs }: Pick<App, "nowMs">,
  work: (job: Job) => Promise<T>,
): Promise<T> {
  const progress = output.progress(nowMs);
  const notices: Notice[] = [];
  try {
    return await work({ progress, onNotice: (notice) => void notices.push(notice) });
  } finally {
    await progress.clear();
    for (const notice of notices) await output.notice(notice);
  }
}
