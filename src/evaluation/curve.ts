/**
 * The curve of recall against tokens: what packages of some mean size find, with fixed budgets and with levels of coverage.
 *
 * A level of coverage is worth something if it finds more than a fixed budget of the same mean tokens.
 */
import {
  CURVE_POINTS,
  type CurveAmountName,
  type CurveLabel,
  type CurveMetric,
  type CurveMetricName,
  type CurvePoint,
} from "./curve-points.ts";

/** Means over the cases; null without a case that has the value. */
type CurveRow = Readonly<Record<CurveMetric, number | null>> & {
  readonly label: CurveLabel;
  readonly tokens: number;
  /**
   * Recall of definitions beyond that of a fixed budget of as many tokens, on straight lines between the fixed budgets; null
   * for these themselves and outside of them.
   */
  readonly over_fixed: number | null;
};

export type Curve = readonly CurveRow[];

type CurveMeans = {
  readonly share: (name: CurveMetricName) => number | undefined;
  readonly tokens: (name: CurveAmountName) => number | undefined;
};

/** The curve of the means; points without packages are left out. */
export function curveOf({ share, tokens }: CurveMeans): Curve {
  const rows = CURVE_POINTS.flatMap((point) => {
    const { label } = point;
    const mean = tokens(`tokens@${label}`);
    if (mean === undefined) return [];
    return [
      {
        point,
        label,
        tokens: mean,
        symbol_recall: share(`symbol_recall@${label}`) ?? null,
        file_recall: share(`file_recall@${label}`) ?? null,
        test_recall: share(`test_recall@${label}`) ?? null,
        token_efficiency: share(`token_efficiency@${label}`) ?? null,
      },
    ];
  });
  const fixed = rows.filter(({ point }) => isFixed(point));
  return rows.map(({ point, ...row }) => ({ ...row, over_fixed: isFixed(point) ? null : overFixed(row, fixed) }));
}

const isFixed = ({ budget }: CurvePoint): boolean => budget !== null;

type Found = Pick<CurveRow, "tokens" | "symbol_recall">;

function overFixed({ tokens, symbol_recall: found }: Found, fixed: readonly Found[]): number | null {
  const at = fixed.findIndex((row) => row.tokens >= tokens);
  const [below, above] = [fixed[at - 1], fixed[at]];
  if (below === undefined || above === undefined) return null;
  const { symbol_recall: least } = below;
  const { symbol_recall: most } = above;
  if (found === null || least === null || most === null) return null;
  const along = (tokens - below.tokens) / (above.tokens - below.tokens);
  return found - (least + along * (most - least));
}
