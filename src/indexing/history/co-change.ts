/**
 * Counts which files change together, and when each was last touched.
 *
 * Commits of many files (a reformatting, a release) are skipped. All other pairs are counted exactly, as sorted integers in
 * blocks of bounded size, so that memory follows the result.
 * Invariants: `a < b`, ordered by (a, b), the same for any order of the commits.
 */

/** The required fields of a commit. `timestamp` is in seconds; `files` are repository paths. */
export type CommitFiles = { readonly hash: string; readonly timestamp: number; readonly files: readonly string[] };

/** `lastCommit` is the hash of the newest commit that touched both. */
type CoChange = { readonly a: string; readonly b: string; readonly count: number; readonly lastCommit: string };

/** How many pairs are sorted at a time: 32 MiB of keys. */
const BLOCK_PAIRS_MAX = 4 * 1024 * 1024;

/** Counts pairs of indexed files over commits that touch at most `filesMax` files. */
export function coChanges(
  commits: readonly CommitFiles[],
  { filesMax, indexed }: { readonly filesMax: number; readonly indexed: Pick<ReadonlySet<string>, "has"> },
): readonly CoChange[] {
  const small = inOrder(commits).filter((commit) => new Set(commit.files).size <= filesMax);
  const paths = [...new Set(small.flatMap((commit) => commit.files))].filter((path) => indexed.has(path)).sort();
  const ids = new Map(paths.map((path, id) => [path, id]));
  // Each commit's files as ascending ids, oldest commit first.
  const changes = small.map((commit) =>
    Uint32Array.from(new Set(commit.files.flatMap((path) => ids.get(path) ?? []))).sort(),
  );
  return blocks(changes, paths.length).flatMap(([from, to]) => {
    const pairs = pairsBetween(changes, paths.length, from, to);
    return counted(pairs, changes, paths.length, from, to).map(({ key, count, commit }) => ({
      a: paths[Math.floor(key / paths.length)] ?? "",
      b: paths[key % paths.length] ?? "",
      count,
      lastCommit: small[commit]?.hash ?? "",
    }));
  });
}

/** When each file was last touched, in seconds; commits of any size count. */
export function lastTouched(commits: readonly CommitFiles[]): ReadonlyMap<string, number> {
  const touched = new Map<string, number>();
  for (const { files, timestamp } of commits) {
    for (const path of files) if (timestamp > (touched.get(path) ?? -Infinity)) touched.set(path, timestamp);
  }
  return touched;
}

/** Oldest first: by time, then by hash. */
const inOrder = (commits: readonly CommitFiles[]): readonly CommitFiles[] =>
  [...commits].sort((a, b) => a.timestamp - b.timestamp || (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));

/** Ranges of first files, each with at most `BLOCK_PAIRS_MAX` pairs where a single file allows it. */
function blocks(changes: readonly Uint32Array[], files: number): readonly (readonly [number, number])[] {
  const pairsOf = new Float64Array(files);
  for (const ids of changes) {
    ids.forEach((id, place) => {
      pairsOf[id] = (pairsOf[id] ?? 0) + ids.length - place - 1;
    });
  }
  const ranges: (readonly [number, number])[] = [];
  let from = 0;
  let pairs = 0;
  for (let id = 0; id < files; id++) {
    const more = pairsOf[id] ?? 0;
    if (id > from && pairs + more > BLOCK_PAIRS_MAX) {
      ranges.push([from, id]);
      from = id;
      pairs = 0;
    }
    pairs += more;
  }
  return from < files ? [...ranges, [from, files]] : ranges;
}

/** Calls back with every pair of a commit whose first file is in the range. A pair's key is a * files + b. */
function eachPair(ids: Uint32Array, files: number, from: number, to: number, found: (key: number) => void): void {
  for (let i = 0; i < ids.length; i++) {
    const a = ids[i] ?? 0;
    if (a < from || a >= to) continue;
    for (let j = i + 1; j < ids.length; j++) found(a * files + (ids[j] ?? 0));
  }
}

/** Every pair of the range, repeats included, ascending. */
function pairsBetween(changes: readonly Uint32Array[], files: number, from: number, to: number): Float64Array {
  let size = 0;
  for (const ids of changes) eachPair(ids, files, from, to, () => size++);
  const pairs = new Float64Array(size);
  let at = 0;
  for (const ids of changes) {
    eachPair(ids, files, from, to, (key) => {
      pairs[at++] = key;
    });
  }
  return pairs.sort();
}

type Counted = { readonly key: number; readonly count: number; readonly commit: number };

/** Runs of equal keys as counts, each with the last commit (by place) that has the pair. */
function counted(
  pairs: Float64Array,
  changes: readonly Uint32Array[],
  files: number,
  from: number,
  to: number,
): readonly Counted[] {
  const starts: number[] = [];
  for (let at = 0; at < pairs.length; at++) if (at === 0 || pairs[at] !== pairs[at - 1]) starts.push(at);
  const keys = Float64Array.from(starts, (start) => pairs[start] ?? 0);
  const newest = new Uint32Array(keys.length);
  changes.forEach((ids, commit) => {
    eachPair(ids, files, from, to, (key) => {
      newest[placeOf(keys, key)] = commit;
    });
  });
  return starts.map((start, at) => ({
    key: keys[at] ?? 0,
    count: (starts[at + 1] ?? pairs.length) - start,
    commit: newest[at] ?? 0,
  }));
}

/** The position of a key in an ascending list that contains it. */
function placeOf(keys: Float64Array, key: number): number {
  let low = 0;
  let high = keys.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
