/**
 * `cra log`: what the log knows of a task, round by round; with `-v` also what a model was told and what it said.
 *
 * `--json` is the whole record, every decision with it (`cra schema log`).
 */
import { z } from "zod";
import { type Cell, counted, pairs, table } from "../../present/layout.ts";
import type { RoundRecord, RunRecord } from "../../retrieval/explain/run-record.ts";
import { indented } from "../output/indented.ts";
import { taskLine } from "../output/task-line.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";
import { tally } from "./status.ts";

export const run: Runner = async (context) => {
  const { values, output } = context;
  return await withApp(context, appRequest(context), async (app) => {
    const record = await app.runRecord(values.argument("task-id") ?? "", values.whole("--round") ?? null);
    if (output.look.json) await output.json(record);
    else await output.data(recordText(record, output.look.verbose));
    return 0;
  });
};

function recordText({ task_id: id, task, rounds }: RunRecord, verbose: boolean): string {
  const head = pairs([
    ["task", taskLine(task)],
    ["id", id],
  ]);
  return [head, ...rounds.map((round) => roundText(round, verbose))].join("\n");
}

function roundText(round: RoundRecord, verbose: boolean): string {
  const { stages, model_calls: calls, decision_counts: counts } = round;
  const parts = [
    pairs(factsOf(round, verbose)),
    table(
      ["stage", "ms", "decisions"],
      stages.map(({ stage, ms, counts: tiers }) => [stage, ms, countsText(tiers)]),
    ),
    table(
      ["asked by", "model", "status", "ms", "prompt tokens", "response tokens"],
      calls.map((call): readonly Cell[] => [
        call.stage,
        call.model,
        call.status,
        call.ms,
        call.prompt_tokens ?? "-",
        call.response_tokens ?? "-",
      ]),
    ),
    table(
      ["stage", "tier", "in", "out"],
      counts.map(({ stage, tier, included, left_out: out }) => [stage, tier, included, out]),
    ),
    ...(verbose ? calls.map(callText) : []),
  ];
  return parts.filter(Boolean).join("\n");
}

const Budget = z.looseObject({ tokens: z.number(), max_lines: z.number().nullable() });
const Told = z.array(z.looseObject({ message: z.string() }));

function factsOf(round: RoundRecord, verbose: boolean): readonly (readonly [string, Cell])[] {
  const budget = Budget.safeParse(round.budget).data;
  const took = round.token_count === null ? "" : `${round.token_count} of `;
  return [
    ["round", `${round.round}, ${round.status ?? "not finished"}${round.ms === null ? "" : ` after ${round.ms} ms`}`],
    ["begun", `${round.started_at} by cra ${round.cra_version} ${round.command}`],
    ...(round.attempts > 1 ? [["attempts", round.attempts] as const] : []),
    [
      "budget",
      `${took}${budget?.tokens ?? "unknown"} tokens${budget?.max_lines ? `, at most ${budget.max_lines} lines` : ""}`,
    ],
    ...(round.files === null ? [] : [["package", counted(round.files, "file")] as const]),
    ["index", round.content_hash],
    ...optionRows(round.options, verbose),
    ...(Told.safeParse(round.notices).data ?? []).map(({ message }) => ["note", message] as const),
  ];
}

/** More of an option is shown with `-v`. */
const VALUE_CHARS_MAX = 60;

/** Said in lines of their own. */
const SAID_APART: ReadonlySet<string> = new Set(["version", "budget", "max_lines"]);

/** Options that say something; all of them, and whole, with `-v`. */
function optionRows(options: unknown, verbose: boolean): readonly (readonly [string, string])[] {
  const rows = Object.entries(Options.safeParse(options).data ?? {}).filter(([name]) => !SAID_APART.has(name));
  if (verbose) return rows.map(([name, value]) => [name, textOf(value)]);
  return rows.flatMap(([name, value]) => {
    if (name === "template" || isEmpty(value)) return [];
    const text = textOf(withoutEmpty(value));
    return [[name, text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)} …` : text]];
  });
}

const Options = z.record(z.string(), z.unknown());

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

function withoutEmpty(value: unknown): unknown {
  const members = Array.isArray(value) ? undefined : Options.safeParse(value).data;
  return members === undefined ? value : Object.fromEntries(Object.entries(members).filter(([, own]) => !isEmpty(own)));
}

const Counts = z.record(z.string(), z.number());

/** `primary 3, excluded 2`. */
const countsText = (counts: unknown): string => tally(Object.entries(Counts.safeParse(counts).data ?? {}));

function callText(call: RoundRecord["model_calls"][number], at: number): string {
  const said = call.response === null ? "" : `call ${at + 1}, response:\n${indented(call.response)}`;
  return `call ${at + 1}, prompt:\n${indented(call.prompt)}${said}`;
}
