/** The answer of `cra explain` about one file or symbol in at most ten lines: verdict, reason, score, what is shown. */

import type { LoggedDecision } from "../db/raw-log/raw-log.ts";
import { NAMED_COVERAGE } from "../retrieval/packing/budget-decisions.ts";
import { counted } from "../text/counted.ts";
import { display } from "../text/display.ts";
import { listed } from "../text/listed.ts";

/** The names of a list, and the symbols of one name, that are shown. */
const NAMES_MAX = 4;
const SYMBOLS_MAX = 2;

/** The end of the reason of a test (`likely-tests.ts`). */
const TESTED = /; tests (\S.*)/;

type Words = {
  readonly nameOf: (row: LoggedDecision) => string;
  readonly scoreOf: (row: LoggedDecision) => string;
  /** Why the run packed nothing of a file; null for a run that finished. */
  readonly unpacked: string | null;
};

/** `all` is the command that shows every decision; null for a reader without commands. Decisions are in order of their stages. */
export function explanationSummary(decisions: readonly LoggedDecision[], all: string | null, words: Words): string {
  const whole = decisions.findLast(({ symbol, stage }) => symbol === null && stage !== "budget");
  const lines =
    whole === undefined
      ? symbolLines(decisions, words)
      : fileLines(
          whole,
          decisions.filter((row) => row.symbol !== null || row.stage === "budget"),
          words,
        );
  const rest = all === null ? [] : [`  all     ${counted(decisions.length, "decision")}: ${all}`];
  return `${[...lines, ...rest].map((line) => display(line)).join("\n")}\n`;
}

function fileLines(whole: LoggedDecision, parts: readonly LoggedDecision[], words: Words): readonly string[] {
  const last = [...new Map(parts.map((row) => [keyOf(row), row])).values()].filter(
    ({ symbol, line }) => symbol !== null || line !== null,
  );
  const byScore = (a: LoggedDecision, b: LoggedDecision): number => b.score - a.score;
  const packed = last.filter(({ stage }) => stage === "budget").toSorted(byScore);
  const shown = packed.filter(({ included }) => included);
  const left = packed.filter(({ included }) => !included);
  const next = left
    .flatMap((row) => {
      const coverage = NAMED_COVERAGE.exec(row.reason)?.[1];
      return coverage === undefined ? [] : [{ row, coverage }];
    })
    .toSorted((a, b) => Number(a.coverage) - Number(b.coverage));
  const beyondStop = new Set(next.map(({ row }) => row));
  const below = last.length - packed.length;
  const tokens = shown.reduce((sum, row) => sum + (row.tokens ?? 0), 0);
  const nothing = parts.findLast(({ symbol, line }) => symbol === null && line === null)?.reason;
  const tested = parts.map(({ reason }) => TESTED.exec(reason)?.[1]).find((path) => path !== undefined);
  const verdict =
    shown.length > 0
      ? `in, ${whole.tier}: ${shown.length} of ${counted(last.length, "part")} shown, ${tokens} tokens`
      : whole.included
        ? `shows nothing: ${nothing ?? words.unpacked ?? "in scope, but nothing in it is relevant enough to show"}`
        : `out, ${whole.tier}`;
  return [
    words.nameOf(whole),
    `  verdict ${verdict}`,
    `  why     ${tested === undefined ? "" : `tests ${tested}; `}${whole.reason}`,
    `  score   ${words.scoreOf(whole)}`,
    ...listLine("shown", shown, (row) => `${partName(row)} (${row.detail})`),
    ...listLine(
      "no room",
      left.filter((row) => !beyondStop.has(row)),
      partName,
    ),
    ...listLine("next", next, ({ row, coverage }) => `${partName(row)} (from coverage ${coverage})`),
    ...(below === 0 || (packed.length === 0 && words.unpacked !== null)
      ? []
      : [`  below   ${counted(below, "part")} not relevant enough`]),
  ];
}

const listLine = <Row>(label: string, rows: readonly Row[], nameOf: (row: Row) => string): readonly string[] =>
  rows.length === 0 ? [] : [`  ${label.padEnd(7)} ${listed(rows.map(nameOf), NAMES_MAX)}`];

const partName = ({ symbol, line, kind }: LoggedDecision): string => symbol ?? `${kind ?? "lines"} at line ${line}`;

function symbolLines(decisions: readonly LoggedDecision[], { nameOf, scoreOf }: Words): readonly string[] {
  const groups = [...Map.groupBy(decisions, keyOf).values()];
  return [
    ...groups.slice(0, SYMBOLS_MAX).flatMap((group) => {
      const [first, last] = [group[0], group.at(-1)];
      if (first === undefined || last === undefined) return [];
      const detail = last.detail === "none" ? "" : `, shown as ${last.detail}`;
      const tokens = last.tokens === null ? "" : `, ${last.tokens} tokens`;
      return [
        nameOf(first),
        `  verdict ${last.included ? "in" : "out"}, ${last.tier}${detail}${tokens}`,
        `  why     ${[...new Set([first.reason, last.reason])].join("; ")}`,
        `  score   ${scoreOf(group.find(({ terms }) => terms !== null) ?? first)}`,
      ];
    }),
    ...(groups.length > SYMBOLS_MAX ? [`and ${groups.length - SYMBOLS_MAX} more of this name`] : []),
  ];
}

const keyOf = ({ path, symbol, line, kind }: LoggedDecision): string => JSON.stringify([path, symbol, line, kind]);
