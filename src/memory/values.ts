/**
 * Makes values of experiences: what those that say the same on an axis have in common.
 *
 * Experiences weigh by their confidence. Invariants: the same experiences give the same values whatever their order; a
 * value's id and the name of its cluster come from its members alone. Pure. Not here: vectors (`text-vector.ts`, or a
 * model's), words of a model.
 */
import { clustersOf, type Point } from "./clusters.ts";
import type { Experience, Value } from "./experience.ts";
import { valueText } from "./value-text.ts";
import { type Axis, CONFIDENCES, type Confidence, DOMAINS, STRATEGIES } from "./vocabulary.ts";

/** How much an experience says, by how far it can be relied on. */
const WEIGHTS: Readonly<Record<Confidence, number>> = { gold: 1, silver: 0.75, bronze: 0.5, abandoned: 0.25 };

/** An experience that has something on the axis, with the vector of that, of length 1. */
export type OnAxis = { readonly experience: Experience; readonly vector: Float32Array };

/** The values of one axis, the largest first. `unrelated` as `clustersOf` takes it, which yields where this does. */
export function* valuesOnAxis(
  axis: Axis,
  entries: readonly OnAxis[],
  unrelated: number,
): Generator<void, readonly Value[]> {
  const ordered = [...entries].sort((a, b) => byConfidence(a.experience, b.experience));
  const points = ordered.map(({ experience, vector }): Point => ({ vector, weight: WEIGHTS[experience.confidence] }));
  const clusters = yield* clustersOf(points, unrelated);
  return clusters.flatMap((members) => {
    const told = members.flatMap(({ at, similarity }): Told[] => {
      const experience = ordered[at]?.experience;
      return experience === undefined ? [] : [{ experience, similarity }];
    });
    const [medoid] = told;
    return medoid === undefined ? [] : [made(axis, medoid, told)];
  });
}

type Told = { readonly experience: Experience; readonly similarity: number };

/** The best first; then by id, which says nothing, so what is drawn first is not the oldest or the newest. */
const byConfidence = (a: Experience, b: Experience): number =>
  CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) || (a.id < b.id ? -1 : 1);

function made(axis: Axis, medoid: Told, told: readonly Told[]): Value {
  const experiences = told.map(({ experience }) => experience);
  const name = nameOf([axis, ...experiences.map(({ id }) => id).sort()]);
  // A lesson says more than what happened, so the nearest one speaks for all.
  const speaker = told.find(({ experience }) => experience.lesson !== null) ?? medoid;
  return {
    id: `val-${name}`,
    axis,
    cluster_id: `${axis}-${name.slice(0, 8)}`,
    cluster_size: experiences.length,
    text: valueText(speaker.experience, axis),
    // Rounded, as the last digits of a sum are nobody's.
    similarity_to_centroid: Math.round(speaker.similarity * 1e6) / 1e6,
    domains: mostFrequent(
      experiences.map(({ domain }) => domain),
      DOMAINS,
    ),
    strategies: mostFrequent(
      experiences.map(({ strategy }) => strategy),
      STRATEGIES,
    ),
    experience_ids: experiences.map(({ id }) => id),
  };
}

/** Those that occur, the most frequent first, then in the order of the table. */
function mostFrequent<Word extends string>(words: readonly Word[], table: readonly Word[]): readonly Word[] {
  const times = new Map<Word, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  const count = (word: Word): number => times.get(word) ?? 0;
  return table.filter((word) => times.has(word)).sort((a, b) => count(b) - count(a));
}

/** Twelve hexadecimal digits that stand for these texts. */
const nameOf = (parts: readonly string[]): string =>
  new Bun.CryptoHasher("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
