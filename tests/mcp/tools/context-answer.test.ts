/** What `recall` and `premortem` answer besides their items: the same notes in both forms. */
import { expect, test } from "bun:test";
import { noticing } from "../../../src/mcp/tools/context-answer.ts";
import type { Notice } from "../../../src/notice.ts";
import { noticeSentence } from "../../../src/notice-sentence.ts";
import { ContextJson, type FormattedContext } from "../../../src/recall/context/context-json.ts";

const NOTHING: FormattedContext = { markdown: "", items: [], token_count: 0, sources_used: {}, budget_exceeded: false };
const LEFT_OUT: Notice = { code: "sources-left-out", sources: ["memories"], why: "the store is damaged" };

/** The answer to a question during which these notices come up, after one of an earlier question. */
async function answered(...notices: readonly Notice[]) {
  const all: Notice[] = [{ code: "index-stale", why: "an earlier question" }];
  const app = { notices: all, changedFiles: () => [] };
  const ask = async () => {
    all.push(...notices);
    return NOTHING;
  };
  return await noticing({ app }, ask);
}

test("notes of an answer are in its text and in its structured form", async () => {
  const { text, structured } = await answered(LEFT_OUT, LEFT_OUT);
  const said = noticeSentence(LEFT_OUT);
  expect(text).toBe(`Nothing was found.\nNote: ${said}\nNote: ${said}\n`);
  expect(ContextJson.parse(structured).note).toBe(`${said}; ${said}`);
});

test("an answer without notes has no field for them", async () => {
  const { text, structured } = await answered();
  expect([text, ContextJson.parse(structured)]).toEqual(["Nothing was found.\n", { schema_version: 1, ...NOTHING }]);
});
