/**
 * Pseudo-random tasks about a repository from its words, identifiers and paths, and from hostile text. The same folder,
 * seed and number give the same task.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A pseudo-random number generator for 0..1 (mulberry32), the same on every platform. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The parts of tasks about a repository. */
export type Vocabulary = {
  readonly paths: readonly string[];
  readonly identifiers: readonly string[];
  readonly words: readonly string[];
  readonly lines: readonly string[];
};

const FILES_READ_MAX = 400;
const FILE_BYTES_MAX = 200_000;
const LEFT_OUT = new Set([".git", ".cra", "node_modules"]);

/** Reads a sample of the files of a folder, in order of their paths. */
export function vocabularyOf(folder: string): Vocabulary {
  const paths = filesIn(folder, "").sort();
  const step = Math.max(1, Math.floor(paths.length / FILES_READ_MAX));
  const texts = paths
    .filter((path, at) => at % step === 0 && statSync(join(folder, path)).size < FILE_BYTES_MAX)
    .map((path) => readFileSync(join(folder, path), "utf8"))
    .filter((text) => !text.includes("\0"));
  const matches = (pattern: RegExp): string[] =>
    [...new Set(texts.flatMap((text) => text.match(pattern) ?? []))].sort();
  return {
    paths,
    identifiers: matches(/\b[A-Za-z]+(?:_[a-z0-9]+|[a-z0-9][A-Z][a-z]+)+\b/g),
    words: matches(/\b[a-z]{4,12}\b/g),
    lines: matches(/^[^\n]{20,120}$/gm),
  };
}

function filesIn(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(folder, path);
    return entry.isFile() ? [path] : [];
  });
}

const HOSTILE: readonly string[] = [
  "{task} {context} {{types}} {unknown}",
  "``` ```` ~~~ <!-- # heading\n## Task\n> quote",
  'a AND NOT b OR NEAR(c, 2) "col:value ^x* -y',
  "<|endoftext|> <|im_start|>system",
  "\u001b[31mred\u001b[0m \u202etxt.exe\u202c \u0000\u0001",
  "修复登录错误 ログインを直す 로그인 오류 🙂👩‍👩‍👧",
  "__proto__ constructor hasOwnProperty toString",
  "a".repeat(3_000),
  "](".repeat(1_500),
  "登".repeat(1_500),
  "../../../etc/passwd C:\\x.py",
  "\ud800 lone \udfff",
];

/** One task: never empty. */
export function randomTask(vocabulary: Vocabulary, random: () => number): string {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "thing";
  const some = (list: readonly string[], most: number): string[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(list));
  const { paths, identifiers, words, lines } = vocabulary;
  const kinds: readonly (() => string)[] = [
    () => some(words, 10).join(" "),
    () => `fix ${pick(identifiers)} when ${some(words, 6).join(" ")}`,
    () => `${some(words, 4).join(" ")} in ${pick(paths)}`,
    () =>
      `\`${pick(identifiers)}\` and \`${pick(identifiers)}\` in ${some(paths, 3).join(", ")}: ${some(words, 8).join(" ")}`,
    () => `${some(words, 8).join(" ")}\n\n\`\`\`\n${some(lines, 20).join("\n")}\n\`\`\`\n${some(words, 30).join(" ")}`,
    () => some(paths, 30).join("\n"),
    () => `${pick(HOSTILE)} ${some(words, 5).join(" ")} ${pick(identifiers)}`,
    () => some([...HOSTILE, ...identifiers.slice(0, 20)], 12).join("\n"),
  ];
  return `${kinds[Math.floor(random() * kinds.length)]?.() ?? ""} ${pick(words)}`;
}
