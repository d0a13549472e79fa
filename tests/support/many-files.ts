/** More files than are indexed before an answer. Most are notes without a word of a task, which take least time to index. */
import type { Files } from "./repo.ts";

const part = (at: number): readonly [string, string] => [
  `lib/part${at}.py`,
  `def part${at}():\n    return helper(${at})\n`,
];

/** 1,001 files; two of them define `part7` and `part1000`. */
export const MANY_FILES: Files = Object.fromEntries([
  ...Array.from({ length: 999 }, (_, at) => [`lib/note${at}.txt`, `helper ${at}\n`] as const),
  part(7),
  part(1000),
]);
