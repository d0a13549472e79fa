/**
 * Groups similar vectors and determines the number of groups itself.
 *
 * A sample is joined bottom up by average linkage of 1 - cosine. The tree is cut where the weighted mean silhouette is highest: for
 * a point in a group, (b - a) / max(a, b), with a its mean distance to its group and b that to the nearest other group, or
 * `unrelated` if that is nearer; 0 outside groups of `MEMBERS_MIN`. So the result may be one group, or none. The other points
 * join the nearest centre that is near enough; the best of the rest are the next sample. Finally, centres (weighted means) and
 * memberships are refined a few times.
 *
 * Samples have `SAMPLE_MAX` points, because joining takes cubic time, and there are at most `SAMPLES_MAX`; a group too small in
 * every sample is not found. The same points in the same order give the same groups, so callers sort them.
 */
import { agnes } from "ml-hclust";
import { dot, unit } from "./text-vector.ts";

/** Smaller groups are not worth reporting. */
export const MEMBERS_MIN = 3;
const SAMPLE_MAX = 200;
const SAMPLES_MAX = 8;
/** The most rounds of refining centres and memberships. */
const ROUNDS_MAX = 4;
/** A point joins a group within this fraction of the unrelated distance from its centre. */
const JOINING_SHARE = 0.8;

/** Work between two yields: rows of distances, cuts of a tree, points assigned to centres. */
const ROWS_AT_ONCE = 20;
const CUTS_AT_ONCE = 10;
const POINTS_AT_ONCE = 50;

/** `vector` is a unit vector, or zero and then in no group. `weight` is its influence on centres. */
export type Point = { readonly vector: Float32Array; readonly weight: number };

/** The index of a point, and its cosine to the centre, 0 to 1. */
type Member = { readonly at: number; readonly similarity: number };

/** The members of a group, nearest to the centre first. */
export type Cluster = readonly Member[];

/** The groups, largest first. `unrelated` is the distance (1 - cosine) of unrelated vectors. Yields every few milliseconds. */
export function* clustersOf(points: readonly Point[], unrelated: number): Generator<void, readonly Cluster[]> {
  const joining = 1 - JOINING_SHARE * unrelated;
  const centres: Float32Array[] = [];
  let left = [...points.keys()].filter((at) => points[at]?.vector.some((number) => number !== 0));
  for (let sample = 0; sample < SAMPLES_MAX && left.length >= MEMBERS_MIN; sample += 1) {
    const drawn = left.slice(0, SAMPLE_MAX);
    const found = (yield* bestGroups(drawn, points, unrelated)).map((members) => centreOf(members, points));
    const rest = left.slice(SAMPLE_MAX);
    const assigned = yield* nearestOf(rest, points, found, joining);
    left = rest.filter((_, index) => assigned[index] === null);
    centres.push(...found);
  }
  return yield* refined(points, centres, joining);
}

/** The groups of the best cut, as indexes into `points`. */
function* bestGroups(
  drawn: readonly number[],
  points: readonly Point[],
  unrelated: number,
): Generator<void, readonly number[][]> {
  const sample = drawn.flatMap((at) => points[at] ?? []);
  if (sample.length < MEMBERS_MIN) return [];
  const distances: number[][] = [];
  for (const [at, { vector: a }] of sample.entries()) {
    const row = sample.map(({ vector: b }) => Math.max(0, 1 - dot(a, b)));
    row[at] = 0;
    if (distances.push(row) % ROWS_AT_ONCE === 0) yield;
  }
  const tree = agnes(distances, { method: "average", isDistanceMatrix: true });
  const heights = new Set<number>();
  tree.traverse(({ isLeaf, height }) => {
    if (!isLeaf) heights.add(height);
  });
  let best: { readonly groups: readonly number[][]; readonly score: number } = { groups: [], score: 0 };
  for (const [cut, height] of [...heights].sort((a, b) => a - b).entries()) {
    if (cut % CUTS_AT_ONCE === 0) yield;
    const groups = tree
      .cut(height)
      .map((cluster) => cluster.indices())
      .filter(({ length }) => length >= MEMBERS_MIN);
    const score = silhouette(groups, distances, sample, unrelated);
    if (score > best.score) best = { groups, score };
  }
  return best.groups.map((group) => group.flatMap((at) => drawn[at] ?? []).sort((a, b) => a - b));
}

/** The weighted mean over the whole sample. */
function silhouette(
  groups: readonly (readonly number[])[],
  distances: readonly (readonly number[])[],
  sample: readonly Point[],
  unrelated: number,
): number {
  let sum = 0;
  for (const group of groups) {
    for (const at of group) {
      const to = (other: readonly number[]): number => {
        let total = 0;
        for (const one of other) total += distances[at]?.[one] ?? 0;
        return total;
      };
      const own = to(group) / (group.length - 1);
      let other = unrelated;
      for (const one of groups) if (one !== group) other = Math.min(other, to(one) / one.length);
      const larger = Math.max(own, other);
      // All points are equal.
      const score = larger === 0 ? 0 : (other - own) / larger;
      sum += score * (sample[at]?.weight ?? 0);
    }
  }
  return sum / sample.reduce((total, { weight }) => total + weight, 0);
}

function centreOf(members: readonly number[], points: readonly Point[]): Float32Array {
  const sum = new Float32Array(points[0]?.vector.length ?? 0);
  for (const at of members) {
    const point = points[at];
    if (point === undefined) continue;
    for (let index = 0; index < sum.length; index += 1)
      sum[index] = (sum[index] ?? 0) + point.weight * (point.vector[index] ?? 0);
  }
  return unit(sum);
}

/** The index of the nearest centre, null when none is near enough. */
function nearest(point: Point | undefined, centres: readonly Float32Array[], least: number): number | null {
  let best: number | null = null;
  let similarity = least;
  for (const [index, centre] of centres.entries()) {
    const found = point === undefined ? 0 : dot(point.vector, centre);
    if (found > similarity || (best === null && found === similarity)) {
      best = index;
      similarity = found;
    }
  }
  return best;
}

/** The index of the nearest centre for each of these points. */
function* nearestOf(
  some: readonly number[],
  points: readonly Point[],
  centres: readonly Float32Array[],
  least: number,
): Generator<void, readonly (number | null)[]> {
  const assigned: (number | null)[] = [];
  for (const at of some)
    if (assigned.push(nearest(points[at], centres, least)) % POINTS_AT_ONCE === 0 && centres.length > 0) yield;
  return assigned;
}

function* refined(
  points: readonly Point[],
  found: readonly Float32Array[],
  least: number,
): Generator<void, readonly Cluster[]> {
  const all = [...points.keys()];
  let centres = found;
  let members: readonly number[][] = [];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next: number[][] = centres.map(() => []);
    for (const [at, centre] of (yield* nearestOf(all, points, centres, least)).entries())
      if (centre !== null) next[centre]?.push(at);
    const kept = next.filter(({ length }) => length >= MEMBERS_MIN);
    const isStable = kept.length === members.length && kept.every((group, index) => isSame(group, members[index]));
    members = kept;
    if (isStable) break;
    centres = members.map((group) => centreOf(group, points));
  }
  return members.map((group) => byNearness(group, points)).sort(bySize);
}

const isSame = (a: readonly number[], b: readonly number[] | undefined): boolean =>
  a.length === b?.length && a.every((at, index) => at === b[index]);

function byNearness(group: readonly number[], points: readonly Point[]): Cluster {
  const centre = centreOf(group, points);
  const similarityOf = (at: number): number => Math.min(1, Math.max(0, dot(points[at]?.vector ?? centre, centre)));
  return group
    .map((at) => ({ at, similarity: similarityOf(at) }))
    .sort((a, b) => b.similarity - a.similarity || a.at - b.at);
}

const bySize = (a: Cluster, b: Cluster): number => b.length - a.length || (a[0]?.at ?? 0) - (b[0]?.at ?? 0);
