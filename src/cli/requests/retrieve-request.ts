/**
 * The second stage of `cra retrieve`'s arguments: what was typed, and the files it names, as a request.
 *
 * Everything that can be wrong with a call is found here, before the index is opened.
 */
import { resolve } from "node:path";
import type { AppRequest, RetrieveRequest } from "../../app/app-types.ts";
import type { ConfigKey } from "../../config/keys.ts";
import { readBounded, readBudgetFile } from "../../config/read-files.ts";
import type { Config, Layer } from "../../config/settings.ts";
import { failureTask } from "../../escalation/failure-task.ts";
import { Failed } from "../../failure.ts";
import { cleanText, withoutComments } from "../../task/markup.ts";
import { demandOneReader, nothingHandedOn, readHandoff } from "../input/handoff.ts";
import { changesWish } from "../options/work-options.ts";
import { checkTarget } from "../output/write-file.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { appRequest } from "./app-request.ts";

/** Issues are a few KiB; a log that is pasted whole is still below this. */
export const TASK_BYTES_MAX = 1024 * 1024;
const TEMPLATE_BYTES_MAX = 256 * 1024;

/** Where the package goes. `path` null is standard output. */
export type Target = { readonly path: string | null; readonly force: boolean; readonly events: boolean };

/**
 * The task's text: the argument, or standard input for "-", with the failure that was handed on, which alone is a task
 * as well; empty where what was changed is all there is. Throws a usage failure when there is none.
 */
export async function readTask(context: Pick<Context, "values" | "input" | "environment">): Promise<string> {
  const { values, input } = context;
  const typed = values.argument("task");
  demandOneReader(values, typed, "the task -");
  const bundle = await readHandoff(context);
  const task = typed === "-" ? await input.read(TASK_BYTES_MAX) : (typed ?? "");
  // The comment of an issue's template or a byte order mark is no task.
  const isTask = cleanText(withoutComments(task)).trim() !== "";
  const failure = bundle === null ? null : failureTask(bundle, isTask ? task : "");
  if (failure !== null) return failure;
  if (isTask) return task;
  if (bundle !== null) throw nothingHandedOn();
  if (typed === undefined && changesWish(values).changes !== undefined) return "";
  throw new Failed({
    code: "usage",
    message: "the task is empty",
    next: 'say what is to be done: cra retrieve "fix the login bug"',
  });
}

/** Throws when the output could not be written anyway. */
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
      next: "name a file",
    });
  return target;
}

/** The world for this run; a `--budget-config` file is a layer just below the flags. */
export function readAppRequest(context: Pick<Context, "values" | "environment">): AppRequest {
  const { values, environment } = context;
  const file = values.text("--budget-config");
  const layer: readonly Layer[] =
    file === undefined ? [] : [{ kind: "flag", entries: readBudgetFile(resolve(environment.cwd, file)) }];
  return withJson(appRequest(context, layer), values);
}

/** What to retrieve, from the merged settings. */
export function retrieveRequest(values: Values, task: string, config: Config): Omit<RetrieveRequest, "onRefresh"> {
  if (values.switch("--strict")) demandExplicit(config);
  const { settings } = config;
  return {
    task,
    settings,
    hintPaths: values.list("--hint-path"),
    hintSymbols: values.list("--hint-symbol"),
    template: settings.template === null ? null : readTemplate(settings.template),
    ...changesWish(values),
    refresh: !values.switch("--no-refresh"),
    strict: values.switch("--strict"),
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

/** What `--strict` leaves to no default, as the flags that give it and the keys that do. */
const DEMANDED: readonly (readonly [what: string, keys: readonly ConfigKey[], next: string])[] = [
  ["--model", ["model"], "name the model that judges: --model qwen3:8b"],
  ["--base-url", ["base_url"], "say where it is: --base-url http://127.0.0.1:11434"],
  ["--stages", ["stages"], "for all of them: --stages scope,precision"],
  [
    "a budget",
    ["budget", "context_window"],
    "give --budget, --context-window with --reserved-tokens, or --budget-config",
  ],
];

/** Under `--strict` nothing that shapes the result is left to a default. */
function demandExplicit({ explained }: Config): void {
  const set = new Set(
    explained.filter(({ kind, value }) => kind !== "default" && value !== null).map(({ key }) => key),
  );
  const missing = DEMANDED.find(([, keys]) => !keys.some((key) => set.has(key)));
  if (missing === undefined) return;
  const [what, , next] = missing;
  throw new Failed({ code: "usage", message: `--strict needs ${what}`, next });
}

/** A template that was named. Throws a usage failure where there is none. */
export function readTemplate(path: string): { readonly text: string; readonly path: string } {
  const text = readBounded(path, true, TEMPLATE_BYTES_MAX);
  if (text === null) throw new Failed({ code: "usage", message: `--template: there is no file ${path}` });
  return { text, path };
}
