/** The arguments of `cra tui`, and what was piped in, as the task and the options of the interface. */
import { Readable } from "node:stream";
import type { App } from "../../app/app.ts";
import type { AppRequest } from "../../app/workspace/environment.ts";
import { failureTask } from "../../escalation/failure-task.ts";
import type { Device } from "../../tui/terminal/device.ts";
import { checkStdinReader, emptyHandoff, readHandoff } from "../input/handoff.ts";
import { readText } from "../input/input.ts";
import type { Context } from "../syntax/command.ts";
import { locationWords } from "./app-request.ts";
import { readTemplate, TASK_BYTES_MAX } from "./retrieve-request.ts";
import { changesRequest, onlyPaths } from "./work-request.ts";

/**
 * The task to start with: the typed or piped one, with the failure of `--handoff` or `--trace`. Empty for a review of changes
 * alone; null to ask for a task.
 */
export async function firstTask(context: Context, typed: string | undefined, device: Device): Promise<string | null> {
  const { values } = context;
  checkStdinReader(values, typed, "the task -");
  // Standard input gives the keys; what was piped in comes through the device.
  const bytes = () => device.piped() ?? Readable.from([]);
  const bundle = await readHandoff({
    ...context,
    input: { ...context.input, bytes, read: async () => (await pipedTask(bytes())) ?? "" },
  });
  const piped = typed === undefined || typed === "-" ? await pipedTask(device.piped()) : null;
  const task = piped ?? (typed === "-" ? null : (typed ?? null));
  if (bundle !== null) {
    const failure = failureTask(bundle, task ?? "");
    if (failure === null && task === null) throw emptyHandoff();
    return failure ?? task;
  }
  if (task !== null && task.trim() !== "") return task;
  return changesRequest(values).changes === undefined ? null : "";
}

/** What the worker of the interface is opened with, and the options of every task in it. */
export const clientOptions = (request: AppRequest, context: Context, app: App) => {
  const { values } = context;
  return {
    // The request is cloned into a thread, which the process's own variables do not allow.
    request: { ...request, environment: { ...request.environment, variables: { ...request.environment.variables } } },
    locationFlags: locationWords(values),
    taskOptions: {
      template: readTemplate(app.config),
      refresh: !values.switch("--no-refresh"),
      only: onlyPaths(context, app),
      ...changesRequest(values),
    },
  };
};

/** The task that was piped in; null when there is none or it is blank. */
async function pipedTask(bytes: AsyncIterable<Uint8Array | string> | null): Promise<string | null> {
  if (bytes === null) return null;
  const text = await readText(bytes, TASK_BYTES_MAX);
  return text.trim() === "" ? null : text;
}
