/** Gates: minimum means of metrics, as in `file_recall=0.8,acc@5=0.7`. */
import { suggestion } from "../config/did-you-mean.ts";
import { Failed } from "../failure.ts";
import { counted } from "../text/counted.ts";
import { isMetricName, METRIC_NAMES, type MetricName } from "./metric-names.ts";
import type { Means } from "./summary.ts";

export type Gate = { readonly name: MetricName /** 0 to 1. */; readonly least: number };

/** A missed gate. `mean` is null if no case has the metric: such a gate fails. */
type MissedGate = Gate & { readonly mean: number | null; readonly n: number };

/** Tolerance for rounding in means. */
const SLACK = 1e-9;

/**
 * Reads gates: names with numbers from 0 to 1, separated by commas.
 * @throws {Failed} usage: no gate, no number, an unknown name (with the nearest known one), or a repeated name.
 */
export function readGates(text: string): readonly Gate[] {
  const gates = text.split(",").map((word) => readGate(word.trim()));
  const twice = gates.find(({ name }, at) => gates.findIndex((gate) => gate.name === name) < at);
  if (twice !== undefined) throw wrong(`the gate ${twice.name} is repeated`);
  return gates;
}

const GATE = /^([^=\s]+)\s*=\s*(\d+(?:\.\d+)?|\.\d+)$/;
const EXAMPLE = "write it as in file_recall=0.8,acc@5=0.7";

function readGate(word: string): Gate {
  const [, typed, number] = GATE.exec(word) ?? [];
  if (typed === undefined || number === undefined) throw wrong(`"${word}" is not a gate`, EXAMPLE);
  const name = typed.toLowerCase();
  if (!isMetricName(name)) {
    throw wrong(`no metric is called "${typed}"`, suggestion(name, METRIC_NAMES) ?? `for example: ${EXAMPLES}`);
  }
  const least = Number(number);
  if (least > 1) throw wrong(`${name}=${number}: metrics range from 0 to 1`, EXAMPLE);
  return { name, least };
}

const EXAMPLES = "file_recall, file_precision, symbol_recall, token_efficiency, acc@5, mrr, symbol_recall@8k";

const wrong = (message: string, next?: string): Failed =>
  new Failed({ code: "usage", message: `--gate: ${message}`, ...(next === undefined ? {} : { next }) });

/** The gates that the means miss, in their order. */
export function missedGates(gates: readonly Gate[], means: Means): readonly MissedGate[] {
  return gates.flatMap((gate) => {
    const found = means[gate.name];
    if (found !== undefined && found.mean >= gate.least - SLACK) return [];
    return [{ ...gate, mean: found?.mean ?? null, n: found?.n ?? 0 }];
  });
}

/** A missed gate in one line. */
export function missSentence({ name, least, mean, n }: MissedGate): string {
  if (mean === null) return `${name} could not be measured on any case; the gate is ${least}`;
  return `${name} is ${shortOf(mean, least)}, the gate is ${least} (${counted(n, "case")})`;
}

/** The mean with enough digits to differ from the gate. */
function shortOf(mean: number, least: number): string {
  const digits = [3, 6, 9].find((count) => Number(mean.toFixed(count)) < least);
  return digits === undefined ? String(mean) : mean.toFixed(digits);
}
