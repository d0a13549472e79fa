import { expect, test } from "bun:test";
import { documentFrequencies } from "../../../src/retrieval/lexical/document-frequency.ts";
import { scoreText } from "../../../src/retrieval/lexical/lexical.ts";
import { atOnce } from "../../../src/retrieval/model/steps.ts";
import { knowledgeOf } from "../../support/knowledge.ts";

const SENTENCE = [{ kind: "title", text: "shadows of a moving light are cut" }] as const;
const WORDS = ["shadows", "moving", "light", "cut"];

/** A repository that counts how often its statistics are asked for. */
function counted() {
  const kb = knowledgeOf({
    files: {
      "src/light.ts": {
        text: "// moved by a light\nexport function cut(shadow: number) {\n  return shadow;\n}\n",
        commentLines: [[1, 1]],
      },
      "src/shadows/map.ts": { text: "// lights and shadows\nexport const light = 1;\n", commentLines: [[1, 1]] },
      "tests/cut.test.ts": "cut(1);\n",
    },
  });
  let searches = 0;
  const termStats: typeof kb.termStats = () => {
    searches += 1;
    return kb.termStats();
  };
  return { kb: { ...kb, termStats }, files: kb.files(), searches: () => searches };
}

test("words are found in paths, code and comments of source files, as written and by stem", () => {
  const { kb, files } = counted();
  expect(documentFrequencies(kb, files, WORDS, [])).toEqual({
    sources: 2,
    words: [
      { word: "shadows", written: { path: 1, code: 0, comment: 1 }, stemmed: { path: 1, code: 1, comment: 1 } },
      { word: "moving", written: { path: 0, code: 0, comment: 0 }, stemmed: { path: 0, code: 0, comment: 1 } },
      { word: "light", written: { path: 1, code: 1, comment: 1 }, stemmed: { path: 1, code: 1, comment: 2 } },
      { word: "cut", written: { path: 1, code: 1, comment: 0 }, stemmed: { path: 1, code: 1, comment: 0 } },
    ],
  });
});

test("the search for the ranking gives the same frequencies, and the ranking does not search again", () => {
  const alone = counted();
  const frequencies = documentFrequencies(alone.kb, alone.files, WORDS, []);
  const ranked = ({ kb, files }: typeof alone) => {
    const scores = atOnce(scoreText(kb, files, SENTENCE, new Float64Array(files.length).fill(1)));
    return [[...scores.content], [...scores.definitions], [...scores.segments.score]];
  };
  const scores = ranked(alone);
  expect(alone.searches()).toBe(2);

  const shared = counted();
  expect(documentFrequencies(shared.kb, shared.files, WORDS, SENTENCE)).toEqual(frequencies);
  expect(ranked(shared)).toEqual(scores);
  expect(shared.searches()).toBe(1);
});

test("words that the ranking does not search for are searched alone", () => {
  const { kb, files, searches } = counted();
  const { words } = documentFrequencies(kb, files, ["light", "cut"], [{ kind: "title", text: "a light" }]);
  expect(words.map(({ word, written }) => [word, written.path])).toEqual([
    ["light", 1],
    ["cut", 1],
  ]);
  expect(searches()).toBe(1);
});
