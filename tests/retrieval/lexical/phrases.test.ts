import { expect, test } from "bun:test";
import { phraseScores, phrasesIn } from "../../../src/retrieval/lexical/phrases.ts";
import type { SectionKind } from "../../../src/task/query.ts";

function check(
  task: readonly (readonly [SectionKind, string])[],
  texts: readonly string[],
  documents: number,
  expected: readonly number[],
): void {
  const sections = task.map(([kind, text]) => ({ kind, text }));
  const other = phrasesIn([{ kind: "title", text: "words of another task" }]);
  const bytes = texts.map((text) => Buffer.from(text));
  // A text that was read for the same task is not read again, and one that was read for another task in another way.
  for (let time = 0; time < 4; time += 1) {
    if (time === 2 && other !== null) phraseScores(other, new Map(bytes.entries()), documents);
    const phrases = phrasesIn(sections);
    const scores =
      phrases === null ? new Map<number, number>() : phraseScores(phrases, new Map(bytes.entries()), documents);
    expect(texts.map((_, id) => Math.round((scores.get(id) ?? 0) * 1e6) / 1e6)).toEqual([...expected]);
  }
}

test("a shared triple counts by its rarity", () => {
  // one triple, in one of 100 files: ln 100 / 10
  check([["title", "cannot open socket"]], ["x CANNOT open, socket!", "open socket cannot"], 100, [0.460517, 0]);
  // in both: ln 50 / √2 / 10
  check([["title", "cannot open socket"]], ["cannot open socket", "cannot open socket"], 100, [0.276622, 0.276622]);
});

test("non-ASCII characters divide words in a task as in a text", () => {
  check(
    [["title", "größe überall öffnen größe überall öffnen"]],
    ["GRößE überall öffnen GRößE überall öffnen"],
    100,
    [1],
  );
  check([["title", 'it says "größe → überall"']], ["größe → überall", "größe -> überall"], 100, [1, 0.276622]);
});

test("short triples, noise and words of different lines do not count", () => {
  check([["prose", "is it ok"]], ["is it ok"], 100, [0]);
  check([["noise", "cannot open socket"]], ["cannot open socket"], 100, [0]);
  check([["prose", "cannot open\nsocket"]], ["cannot open socket"], 100, [0]);
});

test("the score of triples reaches its maximum at ten", () => {
  const words = Array.from({ length: 20 }, (_, index) => `word${index}`).join(" ");
  check([["error", words]], [words], 1_000, [1]);
});

test("a quoted message found verbatim is shared among the texts that hold it", () => {
  check([["prose", 'it says "x-1: y-2: z-3 "']], ["x-1: y-2: z-3", "x-1: y-2: z-3"], 2, [0.5, 0.5]);
  check([["prose", "see 'shortenough16ch' there"]], ["shortenough16ch"], 2, [0]);
});

test("no phrases, no scores", () => {
  expect(phrasesIn([{ kind: "title", text: "animation" }])).toBeNull();
  expect(phrasesIn([{ kind: "title", text: "cannot open socket" }])).not.toBeNull();
  check([], ["any text at all"], 10, [0]);
  check([["title", "cannot open socket"]], [], 10, []);
});
