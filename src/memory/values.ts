/**
 * Derives values from experiences: what a cluster of similar experiences on one axis has in common.
 *
 * Experiences weigh by confidence. The result does not depend on their order, and the ids of a value and its cluster depend on its
 * members alone.
 */
import { inOrder } from "../text/order.ts";
import { clustersOf, type Point } from "./clusters.ts";
import type { Experience, Value } from "./experience.ts";
import { valueText } from "./experience-text.ts";
import { type Axis, CONFIDENCES, type Confidence, DOMAINS, STRATEGIES } from "./vocabulary.ts";

const WEIGHTS: Readonly<Record<Confidence, number>> = { gold: 1, silver: 0.75, bronze: 0.5, abandoned: 0.25 };

/** An experience with the unit vector of its text on the axis. */
export type OnAxis = { readonly experience: Experience; readonly vector: Float32Array };

/** The values of one axis, largest first. `unrelated` and yields as in `clustersOf`. */
export function* valuesOnAxis(
  axis: Axis,
  entries: readonly OnAxis[],
  unrelated: number,
): Generator<void, readonly Value[]> {
  const ordered = [...entries].sort((a, b) => byConfidence(a.experience, b.experience));
  const points = ordered.map(({ experience, vector }): Point => ({ vector, weight: WEIGHTS[experience.confidence] }));
  const clusters = yield* clustersOf(points, unrelated);
  return clusters.flatMap((members) => {
    const cluster = members.flatMap(({ at, similarity }): ClusterMember[] => {
      const experience = ordered[at]?.experience;
      return experience === undefined ? [] : [{ experience, similarity }];
    });
    const [medoid] = cluster;
    return medoid === undefined ? [] : [clusterValue(axis, medoid, cluster)];
  });
}

type ClusterMember = { readonly experience: Experience; readonly similarity: number };

/** Highest confidence first, then by id, which is random, so sampling favours neither old nor new experiences. */
const byConfidence = (a: Experience, b: Experience): number =>
  CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) || inOrder(a.id, b.id);

function clusterValue(axis: Axis, medoid: ClusterMember, members: readonly ClusterMember[]): Value {
  const experiences = members.map(({ experience }) => experience);
  const name = nameOf([axis, ...experiences.map(({ id }) => id).sort()]);
  // A lesson says more than an outcome, so the nearest member with a lesson supplies the text.
  const speaker = members.find(({ experience }) => experience.lesson !== null) ?? medoid;
  return {
    id: `val-${name}`,
    axis,
    cluster_id: `${axis}-${name.slice(0, 8)}`,
    cluster_size: experiences.length,
    text: valueText(speaker.experience, axis),
    // Rounded to drop floating-point noise.
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

/** The words that occur, most frequent first, then in table order. */
function mostFrequent<Word extends string>(words: readonly Word[], table: readonly Word[]): readonly Word[] {
  const times = new Map<Word, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  const count = (word: Word): number => times.get(word) ?? 0;
  return table.filter((word) => times.has(word)).sort((a, b) => count(b) - count(a));
}

/** Twelve hexadecimal digits that identify these texts. */
const nameOf = (parts: readonly string[]): string =>
  new Bun.CryptoHasher("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
