/**
 * `cra tui`: the terminal interface, also started by `cra` alone on a terminal.
 *
 * Everything that can be wrong with the call is found here, before the terminal is taken; what draws is loaded after
 * that. Not here: the interface (`tui/start.tsx`).
 */
import { Readable } from "node:stream";
import type { App, AppRequest } from "../../app/app-types.ts";
import { failureTask } from "../../escalation/failure-task.ts";
import { Failed } from "../../failure.ts";
import { REVIEW } from "../../retrieval/refinement/changed-names.ts";
import type { Look, Size } from "../../tui/state/state.ts";
import type { Device } from "../../tui/terminal/device.ts";
import { demandOneReader, nothingHandedOn, readHandoff } from "../input/handoff.ts";
import { againWithKeys } from "../input/reattach-terminal.ts";
import { changesWish, onlyPlaces } from "../options/work-options.ts";
import { isTaken, writeWhole } from "../output/write-file.ts";
import { readAppRequest, readTemplate, TASK_BYTES_MAX } from "../requests/retrieve-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";
import { placeWords } from "./refine.ts";

export const run: Runner = async (context) => {
  const { values, output, environment, signal } = context;
  if (values.switch("--json"))
    throw new Failed({
      code: "usage",
      message: "cra tui draws on a terminal and prints no JSON",
      next: 'use: cra retrieve --json "…"',
    });
  const request = readAppRequest(context);
  const look = lookOf(context);
  const snapshot = values.text("--snapshot");
  const resume = values.text("--resume") ?? null;
  if (snapshot !== undefined) {
    const size = sizeOf(snapshot);
    return await withApp(context, request, async (app) => {
      const { snapshotText } = await import("../../tui/snapshot.tsx");
      await output.data(await snapshotText({ app, look, size, resume, world: worldOf(request, context, app) }, signal));
      return 0;
    });
  }
  const { device } = context;
  if (device === undefined || !device.screen.isTTY || isDumb(context, look)) return refuse();
  const keys = device.keys();
  if (keys === null) {
    let code: number | null = null;
    await device.lent(async () => {
      code = await againWithKeys(environment, device.words, signal);
    });
    return code ?? refuse();
  }
  const typed = values.argument("task");
  if (typed !== undefined && resume !== null)
    throw new Failed({ code: "usage", message: "a task and --resume exclude each other", next: "give one of them" });
  const task = await firstTask(context, typed, device);
  return await withApp(context, request, async (app) => {
    // An id that nothing is known of is found out before the screen is taken.
    if (resume !== null) await app.runRecord(resume, 1);
    const { start } = await import("../../tui/start.tsx");
    const taskId = await start(
      {
        device,
        keys,
        app,
        world: worldOf(request, context, app),
        look,
        task,
        resume,
        environment,
        files: { isTaken, writeFile: writeWhole },
      },
      signal,
    );
    if (taskId !== null) await output.say(`cra: to go on with it: cra tui --resume ${taskId}`);
    return 0;
  });
};

/** What is run at once: the task, with a failure that was handed on or without; else a review of what was changed. */
async function firstTask(context: Context, typed: string | undefined, device: Device): Promise<string | null> {
  const { values } = context;
  demandOneReader(values, typed, "the task -");
  // Keys come by standard input: what was piped in was handed on.
  const bytes = () => device.piped() ?? Readable.from([]);
  const bundle = await readHandoff({
    ...context,
    input: { ...context.input, bytes, read: async () => (await pipedTask(bytes())) ?? "" },
  });
  const piped = typed === undefined || typed === "-" ? await pipedTask(device.piped()) : null;
  const task = piped ?? (typed === "-" ? null : (typed ?? null));
  if (bundle !== null) {
    const failure = failureTask(bundle, task ?? "");
    if (failure === null && task === null) throw nothingHandedOn();
    return failure ?? task;
  }
  return task ?? (changesWish(values).changes === undefined ? null : REVIEW);
}

const worldOf = (request: AppRequest, context: Context, { config, root }: App) => {
  const { values } = context;
  const { template } = config.settings;
  return {
    // A thread is handed a copy, which the process's own variables cannot be.
    request: { ...request, environment: { ...request.environment, variables: { ...request.environment.variables } } },
    place: placeWords(values),
    wish: {
      template: template === null ? null : readTemplate(template),
      refresh: !values.switch("--no-refresh"),
      only: onlyPlaces(context, root),
      ...changesWish(values),
    },
  };
};

/** What asks for the linear mode is named, since the first line of it says so. */
function lookOf({ values, output, environment: { variables } }: Context): Look {
  const asked = ["CRA_SCREEN_READER", "INK_SCREEN_READER"].find((name) => isOn(variables[name]));
  return {
    ascii: values.switch("--ascii"),
    colour: output.look.colour,
    screenReader: values.switch("--screen-reader") ? "--screen-reader" : (asked ?? null),
  };
}

const isOn = (value: string | undefined): boolean => value !== undefined && /^(1|true|yes|on)$/i.test(value);

/** A terminal that cannot place its cursor shows only what runs down it. */
const isDumb = ({ environment }: Context, { screenReader }: Look): boolean =>
  environment.variables.TERM === "dumb" && screenReader === null;

const refuse = (): never => {
  throw new Failed({
    code: "usage",
    message: "cra tui needs a terminal that it can draw on and hear keys from",
    next: 'without one use: cra retrieve "…"',
  });
};

/** What was piped in as the task; null when nothing was, or nothing but blanks. */
async function pipedTask(bytes: AsyncIterable<Uint8Array | string> | null): Promise<string | null> {
  if (bytes === null) return null;
  const decoder = new TextDecoder("utf-8");
  let text = "";
  for await (const chunk of bytes) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > TASK_BYTES_MAX)
      throw new Failed({ code: "usage", message: `standard input is larger than ${TASK_BYTES_MAX} bytes` });
  }
  return text.trim() === "" ? null : text;
}

const SIZE = /^(\d{1,4})x(\d{1,4})$/;
const SIDE_MAX = 1_000;

function sizeOf(typed: string): Size {
  const [, columns, rows] = SIZE.exec(typed)?.map(Number) ?? [];
  if (columns !== undefined && rows !== undefined && columns > 0 && rows > 0 && Math.max(columns, rows) <= SIDE_MAX)
    return { columns, rows };
  throw new Failed({
    code: "usage",
    message: `--snapshot: ${JSON.stringify(typed.slice(0, 60))} is no size`,
    next: "say columns and rows, such as 80x24",
  });
}
