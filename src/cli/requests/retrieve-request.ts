/** The arguments of `cra retrieve`, and the files they name, as a request, checked before the index is opened. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { App } from "../../app/app.ts";
import type { RetrieveRequest } from "../../app/retrieval/retrieve-request.ts";
import type { AppRequest } from "../../app/workspace/environment.ts";
import type { ConfigKey } from "../../config/keys.ts";
import { readBudgetFile } from "../../config/read-files.ts";
import type { Config, Layer } from "../../config/settings.ts";
import { failureTask } from "../../escalation/failure-task.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { cleanText, withoutComments } from "../../task/sections/markup.ts";
import { checkStdinReader, emptyHandoff, readHandoff } from "../input/handoff.ts";
import { readNamedFile } from "../input/named-file.ts";
import { isQuick } from "../options/package-options.ts";
import type { Target } from "../output/deliver.ts";
import { checkTarget } from "../output/write-file.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { appRequest } from "./app-request.ts";
import { standingChoice, typedConstraints, typedHints } from "./refining-request.ts";
import { changesOf, changesRequest, onlyPaths } from "./work-request.ts";

/** Issues are a few KiB; a whole pasted log is still below this. */
export const TASK_BYTES_MAX = 1024 * 1024;
const TEMPLATE_BYTES_MAX = 256 * 1024;

/**
 * The task's text: the argument, or standard input for "-", together with the failure of `--handoff` or `--trace`, which can
 * be the whole task. Empty when the task is only what changed. Throws a usage failure when there is no task.
 */
export async function readTask(context: Pick<Context, "values" | "input" | "environment">): Promise<string> {
  const { values, input } = context;
  const typed = values.argument("task");
  checkStdinReader(values, typed, "the task -");
  const bundle = await readHandoff(context);
  const task = typed === "-" ? await input.read(TASK_BYTES_MAX) : (typed ?? "");
  // An issue template's comment or a byte order mark is not a task.
  const isTask = cleanText(withoutComments(task)).trim() !== "";
  const failure = bundle === null ? null : failureTask(bundle, isTask ? task : "");
  if (failure !== null) return failure;
  if (isTask) return task;
  if (bundle !== null) throw emptyHandoff();
  if (typed === undefined && changesRequest(values).changes !== undefined) return "";
  throw new Failed({
    code: "usage",
    message: "the task is empty",
    next: 'say what to do: cra retrieve "fix the login bug"',
  });
}

/** Throws, before any work, when the output could not be written. */
export function readTarget({ values, environment }: Pick<Context, "values" | "environment">): Target {
  const output = values.text("--output");
  const events = values.text("--events") === "jsonl";
  const path = output === undefined || output === "-" ? null : resolve(environment.cwd, output);
  const target = { path, force: values.switch("--force"), events };
  if (path !== null) checkTarget(path, target);
  if (events && output === "-")
    throw new Failed({
      code: "usage",
      message: "--events and --output - both want standard output",
      next: "name a file for --output",
    });
  return target;
}

/** The settings layers of a run; a `--budget-config` file is a layer just below the flags. */
export function readAppRequest(context: Pick<Context, "values" | "environment">): AppRequest {
  const { values, environment } = context;
  const file = values.text("--budget-config");
  const layer: readonly Layer[] =
    file === undefined ? [] : [{ kind: "flag", entries: readBudgetFile(resolve(environment.cwd, file)) }];
  return withJson(appRequest(context, layer), values);
}

/** What to retrieve, from the merged settings. Throws a usage failure. */
export function retrieveRequest(
  context: Pick<Context, "values" | "environment">,
  task: string,
  app: Pick<App, "config" | "root" | "members">,
): Omit<RetrieveRequest, "onRefresh"> {
  const { config } = app;
  const { values } = context;
  if (values.switch("--strict")) requireExplicit(config);
  const { settings } = config;
  const keepShown = values.text("--keep-shown");
  return {
    task,
    settings,
    hintPaths: typedHints(context, app),
    hintSymbols: values.list("--hint-symbol"),
    template: missingTemplate(config) === null ? readTemplate(config) : null,
    ...changesOf(values, task),
    refresh: !values.switch("--no-refresh"),
    quick: isQuick(values, ["--no-quick", "--strict", "--index"]),
    strict: values.switch("--strict"),
    only: onlyPaths(context, app),
    constraints: typedConstraints(context, app),
    ...standingChoice(values),
    ...(keepShown === undefined ? {} : { keepShown }),
  };
}

/** `--json` is `--format json`, and contradicts any other. */
export function withJson(request: AppRequest, values: Values): AppRequest {
  if (!values.switch("--json")) return request;
  const format = values.flags.get("format")?.typed;
  if (format !== undefined && format !== "json") {
    throw new Failed({
      code: "usage",
      message: `--json and --format ${String(format)} exclude each other`,
      next: "give one of them",
    });
  }
  const layer: Layer = { kind: "flag", entries: new Map([["format", { value: "json", where: "--json" }]]) };
  return { ...request, flags: [...request.flags, layer] };
}

/** What `--strict` requires: its name, the keys that set it, and advice. */
const REQUIRED: readonly (readonly [what: string, keys: readonly ConfigKey[], next: string])[] = [
  ["--model", ["model"], "name a model: --model qwen3:8b"],
  ["--base-url", ["base_url"], "give its address: --base-url http://127.0.0.1:11434"],
  ["--stages", ["stages"], "for all stages: --stages scope,precision"],
  [
    "a budget",
    ["budget", "context_window"],
    "give --budget, --budget-config, or --context-window with --reserved-tokens",
  ],
];

/** Throws a usage failure if something that `--strict` requires has its default. */
function requireExplicit({ explained }: Config): void {
  const set = new Set(
    explained.filter(({ kind, value }) => kind !== "default" && value !== null).map(({ key }) => key),
  );
  const missing = REQUIRED.find(([, keys]) => !keys.some((key) => set.has(key)));
  if (missing === undefined) return;
  const [what, , next] = missing;
  throw new Failed({ code: "usage", message: `--strict needs ${what}`, next });
}

/** What to say of a template that is configured, not typed, that does not exist and is not printed; null if all is well or it is needed. */
export function missingTemplate({ explained, settings }: Config): Notice | null {
  const { template: path, format } = settings;
  const row = explained.find(({ key }) => key === "template");
  if (path === null || row === undefined || row.kind === "flag" || format === "prompt" || existsSync(path)) return null;
  return { code: "template-missing", path, where: row.where };
}

/** What to say of a template that was typed and is not printed. One that is configured is for the prompt format whenever that is used. */
export function unprintedTemplate({ explained, settings: { format } }: Config): Notice | null {
  const isTyped = explained.some(({ key, kind }) => key === "template" && kind === "flag");
  return isTyped && format !== "prompt" ? { code: "template-unprinted", format } : null;
}

/** The configured template; null for the built-in one. Throws a usage failure that says what names a missing file. */
export function readTemplate({ explained, settings }: Config): RetrieveRequest["template"] {
  const { template: path } = settings;
  const where = explained.find(({ key }) => key === "template")?.where ?? "--template";
  return path === null ? null : { text: readNamedFile(where, path, "/", TEMPLATE_BYTES_MAX), path };
}
