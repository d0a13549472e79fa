/** What a stand-in embedding model knows of words, and how long its vectors are. */

/** Few models have so short vectors, but tests read them. */
export const DIMENSIONS = 96;

const GROUPS: readonly (readonly string[])[] = [
  ["login", "signin", "authentication", "credentials"],
  ["slow", "latency", "sluggish", "performance"],
  ["crash", "segfault", "panic", "abort"],
  ["cookie", "cookies", "session", "sessions"],
];

/** Words by the first of those that mean the same. */
export const MEANINGS: ReadonlyMap<string, string> = new Map(
  GROUPS.flatMap((group) => group.map((word) => [word, group[0] ?? word] as const)),
);
