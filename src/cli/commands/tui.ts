/**
 * `cra tui`, also started by `cra` alone on a terminal.
 *
 * Every error in the arguments is found here, before the terminal is taken over.
 */
import type { AppRequest } from "../../app/workspace/environment.ts";
import { Failed, type Failure } from "../../failure.ts";
import type { Look, Size } from "../../tui/state/state.ts";
import type { Device } from "../../tui/terminal/device.ts";
import { JUDGING_OPTIONS } from "../options/model-options.ts";
import { NO_REASONS, NO_REFRESH, WITH_MEMORY } from "../options/package-options.ts";
import { REPOS, SELECTING_OPTIONS } from "../options/selecting-options.ts";
import { ONLY, WORK_OPTIONS } from "../options/work-options.ts";
import { showsUnicode } from "../output/encoding.ts";
import { completed, failureSentence } from "../output/suggested-commands.ts";
import { isTaken, writeWhole } from "../output/write-file.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withAppOf } from "../with-app.ts";

export const TUI: Command = {
  name: "tui",
  summary: "open the terminal interface, as cra alone does",
  arguments: [
    {
      name: "task",
      summary: 'the task in words, or "-" to read it from standard input',
      required: false,
      isText: true,
    },
  ],
  options: [
    {
      flag: "--resume",
      value: "task-id",
      summary: "continue this task where it stopped; the start of its id is enough",
      conflicts: ["--only", ...WORK_OPTIONS.map(({ flag }) => flag)],
    },
    { flag: "--ascii", summary: "draw with ASCII characters only, as on terminals that are not UTF-8" },
    { flag: "--screen-reader", summary: "print numbered lines of text instead of drawing a screen" },
    {
      flag: "--snapshot",
      value: "size",
      summary: "print one frame of a size, such as 80x24, and exit; with --resume a frame of that task",
    },
    ...SELECTING_OPTIONS,
    ...REPOS,
    ONLY,
    ...WORK_OPTIONS,
    NO_REFRESH,
    NO_REASONS,
    WITH_MEMORY,
    ...JUDGING_OPTIONS,
  ],
  examples: [
    { line: "cra tui", does: "type a task, or resume one" },
    { line: 'cra tui "fix the login validation bug"', does: "start with this task" },
    { line: "cra tui --resume 1f3a", does: "continue where this task stopped, however it ended" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, environment, device, signal } = context;
  if (values.switch("--json"))
    throw new Failed({
      code: "usage",
      message: "cra tui draws on a terminal and prints no JSON",
      next: 'use: cra retrieve --json "…"',
    });
  const { readAppRequest } = await import("../requests/retrieve-request.ts");
  const request = readAppRequest(context);
  const look = displayOptions(context);
  const snapshot = values.text("--snapshot");
  if (snapshot !== undefined) return await printFrame(context, request, look, frameSize(snapshot));
  if (device === undefined || !device.screen.isTTY || isDumb(context, look)) return refuse();
  const keys = device.keys();
  if (keys !== null) return await interact(context, request, look, { device, keys });
  // Standard input is a pipe: start again with the terminal as standard input.
  const { againWithKeys } = await import("../input/reattach-terminal.ts");
  let code: number | null = null;
  await device.lent(async () => {
    code = await againWithKeys(environment, device.words, signal);
  });
  return code ?? refuse();
}

async function printFrame(context: Context, request: AppRequest, look: Look, size: Size): Promise<number> {
  const { values, output, signal } = context;
  if (values.argument("task") !== undefined)
    throw new Failed({
      code: "usage",
      message: "a task and --snapshot exclude each other",
      next: "name one that ran: --resume <task-id>",
    });
  const { clientOptions } = await import("../requests/tui-request.ts");
  const resume = values.text("--resume") ?? null;
  return await withAppOf(context, request, async (app) => {
    const { snapshotText } = await import("../../tui/snapshot.tsx");
    const workerSetup = clientOptions(request, context, app);
    await output.data(await snapshotText({ app, look, size, resume, workerSetup }, signal));
    return 0;
  });
}

type Terminal = { readonly device: Device; readonly keys: NonNullable<ReturnType<Device["keys"]>> };

async function interact(
  context: Context,
  request: AppRequest,
  look: Look,
  { device, keys }: Terminal,
): Promise<number> {
  const { values, output, environment, signal } = context;
  const { clientOptions, firstTask } = await import("../requests/tui-request.ts");
  const typed = values.argument("task");
  const resume = values.text("--resume") ?? null;
  if (typed !== undefined && resume !== null)
    throw new Failed({ code: "usage", message: "a task and --resume exclude each other", next: "give one of them" });
  const task = await firstTask(context, typed, device);
  return await withAppOf(context, request, async (app) => {
    // An unknown id is reported before the screen is taken over.
    if (resume !== null) await app.runRecord(resume, 1);
    const { start } = await import("../../tui/start.tsx");
    const workerSetup = clientOptions(request, context, app);
    const files = { isTaken, writeFile: writeWhole };
    const wording = {
      failed: (failure: Failure) => failureSentence(failure, context),
      noticed: (sentence: string) => completed(sentence, context),
    };
    const taskId = await start(
      { device, keys, app, workerSetup, look, task, resume, environment, files, wording },
      signal,
    );
    if (taskId !== null) await output.say(completed(`cra: to continue this task: cra tui --resume ${taskId}`, context));
    return 0;
  });
}

/** `screenReader` is the option or variable that asks for linear mode, which names it in its first line. */
function displayOptions({ values, output, environment: { variables } }: Context): Look {
  const variable = ["CRA_SCREEN_READER", "INK_SCREEN_READER"].find((name) => isOn(variables[name]));
  return {
    ascii: values.switch("--ascii") || !showsUnicode(variables),
    colour: output.mode.colour,
    screenReader: values.switch("--screen-reader") ? "--screen-reader" : (variable ?? null),
  };
}

const isOn = (value: string | undefined): boolean => value !== undefined && /^(1|true|yes|on)$/i.test(value);

/** A terminal that cannot place its cursor can only show the linear mode. */
const isDumb = ({ environment }: Context, { screenReader }: Look): boolean =>
  environment.variables.TERM === "dumb" && screenReader === null;

const refuse = (): never => {
  throw new Failed({
    code: "usage",
    message: "cra tui needs a terminal that it can draw on and read keys from",
    next: 'without a terminal, use: cra retrieve "…"',
  });
};

const SIZE = /^(\d{1,4})x(\d{1,4})$/;
const SIDE_MAX = 1_000;

function frameSize(typed: string): Size {
  const [, columns, rows] = SIZE.exec(typed)?.map(Number) ?? [];
  if (columns !== undefined && rows !== undefined && columns > 0 && rows > 0 && Math.max(columns, rows) <= SIDE_MAX)
    return { columns, rows };
  throw new Failed({
    code: "usage",
    message: `--snapshot: ${JSON.stringify(typed.slice(0, 60))} is not a size`,
    next: "give columns and rows, such as 80x24",
  });
}
