/** How many of the last parts two lists have in common. */
export function commonEnd(a: readonly string[], b: readonly string[]): number {
  let same = 0;
  while (same < a.length && same < b.length && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1;
  return same;
}
