/** `cra log`: a task round by round. `--json` prints the whole record with every decision (`cra schema log`). */
import { z } from "zod";
import { tally } from "../../present/amounts.ts";
import { budgetText } from "../../present/budget-text.ts";
import { type Cell, indented, pairs, table, taskLine } from "../../present/layout.ts";
import type { RoundRecord, RunRecord } from "../../retrieval/explain/run-record.ts";
import { counted } from "../../text/counted.ts";
import { TASK_ID } from "../options/package-options.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

export const LOG: Command = {
  name: "log",
  summary: "show the rounds, stages, model calls and decisions of a task",
  arguments: [TASK_ID],
  options: [
    { flag: "--round", value: "number", whole: { least: 1, most: 1_000_000 }, summary: "show only this round" },
  ],
  examples: [
    { line: "cra log 1f3a", does: "every round, with the time of each stage and model call" },
    { line: "cra log 1f3a --round 2 -v", does: "one round, with the prompts and responses of the model" },
    { line: "cra log 1f3a --json", does: "everything, with every decision, for a program" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output } = context;
  return await withApp(context, async (app) => {
    const record = await app.runRecord(values.argument("task-id") ?? "", values.whole("--round") ?? null);
    await output.result({ json: () => record, text: () => output.fitted(recordText(record, output.mode.verbose)) });
    return 0;
  });
}

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
    pairs(factRows(round, verbose)),
    table(
      ["stage", "ms", "decisions"],
      stages.map(({ stage, ms, counts: tiers }) => [stage, ms, countsText(tiers)]),
    ),
    table(
      ["stage", "model", "status", "ms", "prompt tokens", "response tokens"],
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

const Notices = z.array(z.looseObject({ message: z.string() }));

function factRows(round: RoundRecord, verbose: boolean): readonly (readonly [string, Cell])[] {
  return [
    ["round", `${round.round}, ${round.status ?? "not finished"}${round.ms === null ? "" : ` after ${round.ms} ms`}`],
    ["started", `${round.started_at} by cra ${round.cra_version} ${round.command}`],
    ...(round.attempts > 1 ? [["attempts", round.attempts] as const] : []),
    ["budget", budgetText(round.budget, round.token_count)],
    ...(round.files === null ? [] : [["package", counted(round.files, "file")] as const]),
    ["index", round.content_hash],
    ...optionRows(round.options, verbose),
    ...(Notices.safeParse(round.notices).data ?? []).map(({ message }) => ["note", message] as const),
  ];
}

/** Longer values of options are cut without `-v`. */
const VALUE_CHARS_MAX = 60;

/** Options that have lines of their own. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(["version", "budget", "max_lines"]);

/** The options that are not empty, cut; with `-v` all of them, whole. */
function optionRows(options: unknown, verbose: boolean): readonly (readonly [string, string])[] {
  const rows = Object.entries(Options.safeParse(options).data ?? {}).filter(([name]) => !SHOWN_ELSEWHERE.has(name));
  if (verbose) return rows.map(([name, value]) => [name, valueText(value)]);
  return rows.flatMap(([name, value]) => {
    if (name === "template" || isEmpty(value)) return [];
    const text = valueText(withoutEmpty(value));
    return [[name, text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)} …` : text]];
  });
}

const Options = z.record(z.string(), z.unknown());

/** Names as a list, values of other kinds as JSON. */
const valueText = (value: unknown): string =>
  z.string().safeParse(value).data ??
  z.array(z.string()).min(1).safeParse(value).data?.join(", ") ??
  JSON.stringify(value);
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
