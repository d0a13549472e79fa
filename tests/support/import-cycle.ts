/** Finds import cycles. */

/** The shortest import chain from a file back to itself, without the file; null if there is none. */
export function wayBack(path: string, next: (path: string) => readonly string[]): readonly string[] | null {
  const chains = new Map<string, readonly string[]>([[path, []]]);
  for (const [at, chain] of chains)
    for (const to of next(at)) {
      if (to === path) return chain;
      if (!chains.has(to)) chains.set(to, [...chain, to]);
    }
  return null;
}
