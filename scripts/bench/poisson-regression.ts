/**
 * Poisson regression: fits the logarithm of an expected amount as a linear function of features, by Newton's method with a
 * penalty on large weights of standardised features. The same rows in the same order give the same bits.
 */

/** `features` has one row of `width` numbers for each target. */
export type Rows = { readonly features: Float64Array; readonly targets: Float64Array };

/** Expected amount = exp(constant + sum of weights × features). */
export type LogLinear = { readonly constant: number; readonly weights: readonly number[] };

const STEPS_MAX = 30;
/** The largest change of a weight in one step. */
const CHANGE_MAX = 2;
const CONVERGED = 1e-6;
/** Bounds of an expected amount's logarithm while fitting, so that no early step overflows. */
const LOG_MIN = -20;
const LOG_MAX = 3;
/** Keeps features finite that never vary. */
const DEVIATION_MIN = 1e-9;

export function fitPoisson(groups: readonly Rows[], width: number, penalty: number): LogLinear {
  const { means, deviations } = scaleOf(groups, width);
  const total = groups.reduce((sum, { targets }) => targets.reduce((most, target) => most + target, sum), 0);
  const count = groups.reduce((sum, { targets }) => sum + targets.length, 0);
  // The constant is the last weight, and is not penalised.
  const weights = new Float64Array(width + 1);
  weights[width] = Math.log(total / Math.max(1, count) + DEVIATION_MIN);
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { gradient, curvature } = slopesAt(groups, { means, deviations, weights, penalty });
    const change = solve(curvature, gradient);
    const largest = change.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    const share = Math.min(1, CHANGE_MAX / largest);
    for (const [at, one] of change.entries()) weights[at] = (weights[at] ?? 0) - one * share;
    if (largest < CONVERGED) break;
  }
  const raw = Array.from(means, (_, at) => (weights[at] ?? 0) / (deviations[at] ?? 1));
  const shift = raw.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
  return { constant: (weights[width] ?? 0) - shift, weights: raw };
}

/** The expected amount of each row, at most `max`. */
export function predict({ constant, weights }: LogLinear, { features, targets }: Rows, max: number): Float64Array {
  const width = weights.length;
  return Float64Array.from(targets, (_, row) =>
    Math.min(
      max,
      Math.exp(weights.reduce((sum, weight, at) => sum + weight * (features[row * width + at] ?? 0), constant)),
    ),
  );
}

type Scale = { readonly means: Float64Array; readonly deviations: Float64Array };

function scaleOf(groups: readonly Rows[], width: number): Scale {
  const [means, deviations] = [new Float64Array(width), new Float64Array(width)];
  const count = Math.max(
    1,
    groups.reduce((sum, { targets }) => sum + targets.length, 0),
  );
  const each = (visit: (value: number, at: number) => void): void => {
    for (const { features } of groups)
      for (let at = 0; at < features.length; at += 1) visit(features[at] ?? 0, at % width);
  };
  each((value, at) => {
    means[at] = (means[at] ?? 0) + value / count;
  });
  each((value, at) => {
    deviations[at] = (deviations[at] ?? 0) + (value - (means[at] ?? 0)) ** 2 / count;
  });
  return { means, deviations: deviations.map((variance) => Math.sqrt(variance) + DEVIATION_MIN) };
}

type State = Scale & { readonly weights: Float64Array; readonly penalty: number };

/** The gradient and the matrix of second derivatives, row by row, of the penalised negative log-likelihood. */
function slopesAt(groups: readonly Rows[], { means, deviations, weights, penalty }: State) {
  const width = means.length;
  const size = width + 1;
  const gradient = new Float64Array(size);
  const curvature = new Float64Array(size * size);
  const row = new Float64Array(size).fill(1);
  for (const { features, targets } of groups)
    for (let index = 0; index < targets.length; index += 1) {
      let log = weights[width] ?? 0;
      for (let at = 0; at < width; at += 1) {
        const value = ((features[index * width + at] ?? 0) - (means[at] ?? 0)) / (deviations[at] ?? 1);
        row[at] = value;
        log += value * (weights[at] ?? 0);
      }
      const expected = Math.exp(Math.min(LOG_MAX, Math.max(LOG_MIN, log)));
      const beyond = expected - (targets[index] ?? 0);
      for (let i = 0; i < size; i += 1) {
        const value = row[i] ?? 0;
        gradient[i] = (gradient[i] ?? 0) + value * beyond;
        const weighted = value * expected;
        for (let j = 0; j <= i; j += 1) {
          const at = i * size + j;
          curvature[at] = (curvature[at] ?? 0) + weighted * (row[j] ?? 0);
        }
      }
    }
  for (let i = 0; i < size; i += 1)
    for (let j = i + 1; j < size; j += 1) curvature[i * size + j] = curvature[j * size + i] ?? 0;
  for (let i = 0; i < width; i += 1) {
    gradient[i] = (gradient[i] ?? 0) + penalty * (weights[i] ?? 0);
    curvature[i * size + i] = (curvature[i * size + i] ?? 0) + penalty;
  }
  return { gradient, curvature };
}

/** Solves a positive definite system by Cholesky decomposition. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const lower = new Float64Array(size * size);
  const cell = (i: number, j: number): number => lower[i * size + j] ?? 0;
  for (let i = 0; i < size; i += 1)
    for (let j = 0; j <= i; j += 1) {
      let sum = matrix[i * size + j] ?? 0;
      for (let k = 0; k < j; k += 1) sum -= cell(i, k) * cell(j, k);
      lower[i * size + j] = i === j ? Math.sqrt(Math.max(Number.MIN_VALUE, sum)) : sum / cell(j, j);
    }
  const found = Float64Array.from(right);
  for (let i = 0; i < size; i += 1) {
    let sum = found[i] ?? 0;
    for (let k = 0; k < i; k += 1) sum -= cell(i, k) * (found[k] ?? 0);
    found[i] = sum / cell(i, i);
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    let sum = found[i] ?? 0;
    for (let k = i + 1; k < size; k += 1) sum -= cell(k, i) * (found[k] ?? 0);
    found[i] = sum / cell(i, i);
  }
  return found;
}
