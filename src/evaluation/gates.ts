/** Gates: the least that a mean may be, as in `file_recall=0.8,acc@5=0.7`. Pure. */
import { suggestion } from "../config/did-you-mean.ts";
import { Failed } from "../failure.ts";
import { isMetricName, METRIC_NAMES, type MetricName } from "./metric-names.ts";
import type { Means } from "./summary.ts";

export type Gate = { readonly name: MetricName /** 0 to 1. */; readonly least: number };

/** A gate that was missed. `mean` is null when the metric applies to none of the cases: what cannot be told, fails. */
export type MissedGate = Gate & { readonly mean: number | null; readonly n: number };

/** Means are sums of fractions: one that is short by less is not short. */
const SLACK = 1e-9;

/**
 * Reads gates: names with numbers of 0 to 1, separated by commas.
 * @throws {Failed} usage: none at all, no number, a name that is unknown (with the nearest) or given twice.
 */
export function readGates(text: string): readonly Gate[] {
  const gates = text.split(",").map((word) => readGate(word.trim()));
  const twice = gates.find(({ name }, at) => gates.findIndex((gate) => gate.name === name) < at);
  if (twice !== undefined) throw wrong(`the gate ${twice.name} is given twice`);
  return gates;
}

const GATE = /^([^=\s]+)\s*=\s*(\d+(?:\.\d+)?|\.\d+)$/;
const EXAMPLE = "write it as in file_recall=0.8,acc@5=0.7";

function readGate(word: string): Gate {
  const [, typed, number] = GATE.exec(word) ?? [];
  if (typed === undefined || number === undefined) throw wrong(`"${word}" is no gate`, EXAMPLE);
  const name = typed.toLowerCase();
  if (!isMetricName(name)) {
    throw wrong(`no metric is called "${typed}"`, suggestion(name, METRIC_NAMES) ?? `some that are: ${EXAMPLES}`);
  }
  const least = Number(number);
  if (least > 1) throw wrong(`${name}=${number}: metrics are shares of 0 to 1`, EXAMPLE);
  return { name, least };
}

const EXAMPLES = "file_recall, file_precision, symbol_recall, token_efficiency, acc@5, mrr, symbol_recall@8k";

const wrong = (message: string, next?: string): Failed =>
  new Failed({ code: "usage", message: `--gate: ${message}`, ...(next === undefined ? {} : { next }) });

/** The gates that the means do not reach, in the order in which they were given. */
export function missedGates(gates: readonly Gate[], means: Means): readonly MissedGate[] {
  return gates.flatMap((gate) => {
    const found = means[gate.name];
    if (found !== undefined && found.mean >= gate.least - SLACK) return [];
    return [{ ...gate, mean: found?.mean ?? null, n: found?.n ?? 0 }];
  });
}

/** One line for people. */
export function missSentence({ name, least, mean, n }: MissedGate): string {
  if (mean === null) return `${name} could not be measured on any case; the gate is ${least}`;
  return `${name} is ${shortOf(mean, least)}, the gate is ${least} (${n} ${n === 1 ? "case" : "cases"})`;
}

/** With as many digits as it takes to be seen to be less. */
function shortOf(mean: number, least: number): string {
  const digits = [3, 6, 9].find((count) => Number(mean.toFixed(count)) < least);
  return digits === undefined ? String(mean) : mean.toFixed(digits);
}
