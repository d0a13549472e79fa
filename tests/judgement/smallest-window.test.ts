/** The smallest window that may be set has room for every question, whatever the task and the file. */

import { expect, test } from "bun:test";
import { MODEL_WINDOW_MIN } from "../../src/config/key-kinds.ts";
import { fileQuestion } from "../../src/enrichment/prompt.ts";
import { openFence } from "../../src/judgement/fence.ts";
import { intentQuestion } from "../../src/judgement/intent.ts";
import type { Question } from "../../src/judgement/judge.ts";
import { precisionQuestion } from "../../src/judgement/precision.ts";
import { scopeQuestion } from "../../src/judgement/scope.ts";
import { analyzeTask } from "../../src/task/analyze.ts";
import { COUNTER, drain, judgeOn, saying, TOKEN, toldModel } from "./told-model.ts";

/** Of symbols that each are a token or more, so that nothing is longer for its length. */
const DENSE = "\u{1f9ff}\u{13000}q".repeat(2_000);
const PATH = `${DENSE.slice(0, 900)}/a.py`;

const found = { path: PATH, summary: [DENSE] };
const placed = {
  id: 1,
  path: PATH,
  qualifiedName: DENSE,
  kind: "function",
  signature: DENSE,
  doc: DENSE,
};
const given = { paths: [], symbols: [], languages: [] };
const task = analyzeTask(DENSE, { given, concepts: new Set() });

test.each<readonly [string, Question<string>]>([
  ["analysis", intentQuestion(task, { concepts: [DENSE], areas: [PATH], symbols: [DENSE] })],
  ["scope", scopeQuestion(DENSE, [found])],
  ["precision", precisionQuestion(DENSE, [placed])],
])("%s", async (_, question) => {
  const model = toldModel(saying(question.lists[0]), MODEL_WINDOW_MIN);
  const { outcome } = await drain(judgeOn(model).judge.judge(question, new AbortController().signal));
  expect(outcome.ok).toBe(true);
});

test("a file", () => {
  const material = {
    path: PATH,
    contentHash: "h",
    language: "python",
    text: DENSE,
    docstring: DENSE,
    signatures: [DENSE],
  };
  expect(fileQuestion(material, MODEL_WINDOW_MIN, COUNTER, openFence(TOKEN))).not.toBeNull();
});
