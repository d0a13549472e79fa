/**
 * Groups vectors that say the same, and finds out itself how many groups there are.
 *
 * A sample is joined bottom up by average linkage of 1 - cosine. The tree is cut where the weighted mean of a silhouette
 * is highest: for a point of a group, (b - a) / max(a, b) with a its mean distance to its group and b that to the nearest
 * other, or to what is unrelated when that is nearer; 0 for what is in no group of `MEMBERS_MIN`. So one group may be
 * right, and none. What is left joins the nearest centre that is near enough; then the best of what is still left is
 * the next sample. At last, centres (means by weight) and memberships are settled a few times.
 *
 * Bounds: a sample has `SAMPLE_MAX` points, as joining takes time with the cube of their number, and there are
 * `SAMPLES_MAX` samples; a group of which no sample had enough is not found. Pure: the same points in the same order give
 * the same groups, so callers order them. Not here: what the points are (`values.ts`).
 */
import { agnes } from "ml-hclust";
import { dot, unit } from "./text-vector.ts";

/** Fewer have nothing in common that would be worth telling. */
export const MEMBERS_MIN = 3;
const SAMPLE_MAX = 200;
const SAMPLES_MAX = 8;
/** How often centres and memberships are settled at most. */
const SETTLINGS_MAX = 4;
/** To join a group, a point may be this part of the distance of the unrelated from its centre. */
const JOINING_SHARE = 0.8;

/** Work between two rests: rows of distances, cuts of a tree, points that look for their centre. */
const ROWS_AT_ONCE = 20;
const CUTS_AT_ONCE = 10;
const POINTS_AT_ONCE = 50;

/** `vector` has length 1 (or is zero, and then in no group); heavier points say more about centres. */
export type Point = { readonly vector: Float32Array; readonly weight: number };

/** A place in the list of points, with its cosine to the centre, 0 to 1. */
export type Member = { readonly at: number; readonly similarity: number };

/** The members of a group, the one nearest to its centre first. */
export type Cluster = readonly Member[];

/**
 * The groups, the largest first. `unrelated`: how far apart, as 1 - cosine, such vectors are when they have nothing to
 * do with each other. Yields every few milliseconds of work, so that whoever asks can stop.
 */
export function* clustersOf(points: readonly Point[], unrelated: number): Generator<void, readonly Cluster[]> {
  const joining = 1 - JOINING_SHARE * unrelated;
  const centres: Float32Array[] = [];
  let left = [...points.keys()].filter((at) => points[at]?.vector.some((number) => number !== 0));
  for (let sample = 0; sample < SAMPLES_MAX && left.length >= MEMBERS_MIN; sample += 1) {
    const drawn = left.slice(0, SAMPLE_MAX);
    const found = (yield* bestGroups(drawn, points, unrelated)).map((members) => centreOf(members, points));
    const rest = left.slice(SAMPLE_MAX);
    const places = yield* nearestOf(rest, points, found, joining);
    left = rest.filter((_, place) => places[place] === null);
    centres.push(...found);
  }
  return yield* settled(points, centres, joining);
}

/** The groups of the best cut; several places in `points` each. */
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
      // All the same, and nothing else there.
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
    for (let place = 0; place < sum.length; place += 1)
      sum[place] = (sum[place] ?? 0) + point.weight * (point.vector[place] ?? 0);
  }
  return unit(sum);
}

/** The place of the nearest centre, null when none is near enough. */
function nearest(point: Point | undefined, centres: readonly Float32Array[], least: number): number | null {
  let best: number | null = null;
  let similarity = least;
  for (const [place, centre] of centres.entries()) {
    const found = point === undefined ? 0 : dot(point.vector, centre);
    if (found > similarity || (best === null && found === similarity)) {
      best = place;
      similarity = found;
    }
  }
  return best;
}

/** The place of the nearest centre for each of these points. */
function* nearestOf(
  some: readonly number[],
  points: readonly Point[],
  centres: readonly Float32Array[],
  least: number,
): Generator<void, readonly (number | null)[]> {
  const places: (number | null)[] = [];
  for (const at of some)
    if (places.push(nearest(points[at], centres, least)) % POINTS_AT_ONCE === 0 && centres.length > 0) yield;
  return places;
}

function* settled(
  points: readonly Point[],
  found: readonly Float32Array[],
  least: number,
): Generator<void, readonly Cluster[]> {
  const all = [...points.keys()];
  let centres = found;
  let members: readonly number[][] = [];
  for (let settling = 0; settling < SETTLINGS_MAX; settling += 1) {
    const next: number[][] = centres.map(() => []);
    for (const [at, place] of (yield* nearestOf(all, points, centres, least)).entries())
      if (place !== null) next[place]?.push(at);
    const kept = next.filter(({ length }) => length >= MEMBERS_MIN);
    const isSettled = kept.length === members.length && kept.every((group, place) => isSame(group, members[place]));
    members = kept;
    if (isSettled) break;
    centres = members.map((group) => centreOf(group, points));
  }
  return members.map((group) => byNearness(group, points)).sort(bySize);
}

const isSame = (a: readonly number[], b: readonly number[] | undefined): boolean =>
  a.length === b?.length && a.every((at, place) => at === b[place]);

function byNearness(group: readonly number[], points: readonly Point[]): Cluster {
  const centre = centreOf(group, points);
  const similarityOf = (at: number): number => Math.min(1, Math.max(0, dot(points[at]?.vector ?? centre, centre)));
  return group
    .map((at) => ({ at, similarity: similarityOf(at) }))
    .sort((a, b) => b.similarity - a.similarity || a.at - b.at);
}

const bySize = (a: Cluster, b: Cluster): number => b.length - a.length || (a[0]?.at ?? 0) - (b[0]?.at ?? 0);
