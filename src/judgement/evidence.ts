/**
 * What verdicts are worth when nobody knows how good the judge is.
 *
 * The judge is one of a few kinds: one that lists what is right with given rates of error, or one whose lists say nothing
 * (it lists at random, everything, hardly anything, or what is wrong). How likely each kind is follows from the verdicts
 * themselves: a judge that knows something lists much of what is likely beforehand and little of what is not, and says the
 * same twice. The posterior of an item is the mean over the kinds. A judge that says nothing therefore changes hardly
 * anything. What one question tells of a judge counts for its next.
 */

/** `prior` is the probability that the item is listed by rights; `answers` say whether it was, none if nobody judged it. */
export type Judgeable = { readonly prior: number; readonly answers: readonly boolean[] };

/**
 * `trust` is the probability that the judge knows something, `shares` those of the kinds of judges. The posteriors are in the
 * order of the items.
 */
export type Evidence = {
  readonly trust: number;
  readonly shares: readonly number[];
  readonly posteriors: readonly number[];
};

/** A kind of judge: its share beforehand, and how often it lists what is right and what is not. */
type Kind = { readonly share: number; readonly right: number; readonly wrong: number; readonly knows: boolean };

/** How likely a judge knows something before it answers. More of it gains with good judges and loses with random ones. */
const KNOWING_SHARE = 0.08;

const KINDS: readonly Kind[] = [
  ...[
    { share: 0.45, right: 0.97, wrong: 0.015 },
    { share: 0.52, right: 0.9, wrong: 0.1 },
    // It looks like one that lists a third of what is wrong, so it is rarely believed.
    { share: 0.03, right: 0.7, wrong: 0.3 },
  ].map((kind) => ({ ...kind, share: kind.share * KNOWING_SHARE, knows: true })),
  ...[0.01, 0.03, 0.06, 0.1, 0.15, 0.25, 0.5, 0.75, 0.97].map((rate) => ({
    share: 0.09 * (1 - KNOWING_SHARE),
    right: rate,
    wrong: rate,
    knows: false,
  })),
  // Lists what is wrong. Its verdicts are not turned round.
  ...[
    { right: 0.02, wrong: 0.12 },
    { right: 0.02, wrong: 0.25 },
    { right: 0.02, wrong: 0.4 },
    { right: 0.1, wrong: 0.9 },
  ].map((kind) => ({ ...kind, share: 0.05 * (1 - KNOWING_SHARE), knows: false })),
];

/** The shares of the kinds before a judge answers anything. */
const SHARES_BEFORE: readonly number[] = KINDS.map(({ share }) => share);

/** Keeps the logarithm of a share finite: a later question can still show that a judge is of that kind. */
const SHARE_MIN = 1e-6;

/** Keeps logarithms finite. */
const PRIOR_MIN = 0.001;
const PRIOR_MAX = 0.98;
const finite = (prior: number): number => Math.min(PRIOR_MAX, Math.max(PRIOR_MIN, prior));

/** The posteriors of items that one judge judged. `before` are the shares after its earlier questions. */
export function weigh(items: readonly Judgeable[], before: readonly number[] = SHARES_BEFORE): Evidence {
  const bounded = items.map(({ prior, answers }) => ({ prior: finite(prior), answers }));
  const logs = KINDS.map(({ right, wrong }, at) =>
    bounded.reduce(
      (sum, { prior, answers }) =>
        sum + Math.log(prior * likelihood(right, answers) + (1 - prior) * likelihood(wrong, answers)),
      Math.log(Math.max(SHARE_MIN, before[at] ?? 0)),
    ),
  );
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const kinds = KINDS.map((kind, at) => ({ ...kind, weight: (weights[at] ?? 0) / total })).filter(({ knows }) => knows);
  const trust = kinds.reduce((sum, { weight }) => sum + weight, 0);
  return {
    trust,
    shares: weights.map((weight) => weight / total),
    posteriors: bounded.map(({ prior, answers }) => {
      if (answers.length === 0) return prior;
      const known = kinds.reduce((sum, { weight, right, wrong }) => {
        const held = prior * likelihood(right, answers);
        return sum + (weight * held) / (held + (1 - prior) * likelihood(wrong, answers));
      }, 0);
      return known + (1 - trust) * prior;
    }),
  };
}

/**
 * How far verdicts change what follows from them: `max` times at most, and no less than one part in `max`. With less trust than
 * `changesFrom` nothing changes, and with less than `takesFrom` nothing loses.
 */
export type FactorLimits = { readonly max: number; readonly changesFrom: number; readonly takesFrom: number };

/** By how much the verdicts multiply the probabilities of the items. */
export function factorsOf(
  { trust, posteriors }: Evidence,
  priors: readonly number[],
  { max, changesFrom, takesFrom }: FactorLimits,
): readonly number[] {
  if (trust < changesFrom) return priors.map(() => 1);
  const least = trust < takesFrom ? 1 : 1 / max;
  return priors.map((prior, at) => Math.min(max, Math.max(least, (posteriors[at] ?? finite(prior)) / finite(prior))));
}

const likelihood = (rate: number, answers: readonly boolean[]): number =>
  answers.reduce((product, isListed) => product * (isListed ? rate : 1 - rate), 1);

/** The answers of a verdict about one list; `ignored` classes are no answer at all. */
export const answersOf = <Class extends string>(
  verdict: { readonly class: Class; readonly again?: Class } | undefined,
  list: Class,
  ignored: readonly Class[] = [],
): readonly boolean[] =>
  verdict === undefined
    ? []
    : [verdict.class, verdict.again]
        .filter((one) => one !== undefined && !ignored.includes(one))
        .map((one) => one === list);

/** Probabilities scaled down to what they may sum up to, where they say more: many items can look equally likely. */
export function capped(priors: readonly number[], sumMax: number): readonly number[] {
  const sum = priors.reduce((total, prior) => total + prior, 0);
  return sum <= sumMax ? priors : priors.map((prior) => (prior * sumMax) / sum);
}

/** The probability whose logarithmic odds these are. */
export const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
