/** Where each path of a list is: a table of numbers. A map takes seven times the room, and every thread that links has one. */

/** A map from paths to numbers is one, too. */
export type PathPositions = Pick<ReadonlyMap<string, number>, "get" | "has"> & { keys(): Iterable<string> };

const hashOf = Bun.hash.xxHash32;

/** The positions in a list of different paths that does not change any more. */
export function pathPositions(paths: readonly string[]): PathPositions {
  const slots = new Int32Array(slotsFor(paths.length));
  const last = slots.length - 1;
  for (const [position, path] of paths.entries()) {
    let slot = hashOf(path) & last;
    while (slots[slot] !== 0) slot = (slot + 1) & last;
    slots[slot] = position + 1;
  }
  const get = (path: string): number | undefined => {
    for (let slot = hashOf(path) & last; ; slot = (slot + 1) & last) {
      const position = (slots[slot] ?? 0) - 1;
      if (position < 0) return undefined;
      if (paths[position] === path) return position;
    }
  };
  return { get, has: (path) => get(path) !== undefined, keys: () => paths };
}

/** A power of two, of which at most half is taken. */
const slotsFor = (count: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, 2 * count)));
