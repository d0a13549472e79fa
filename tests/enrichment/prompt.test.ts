/** A question holds as much of a file as there is room for, in a fence that nothing in the file can leave. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { answersByPath, GroupAnswer, groupQuestion, groupsOf } from "../../src/enrichment/group-question.ts";
import type { Material } from "../../src/enrichment/material.ts";
import { fileQuestion } from "../../src/enrichment/prompt.ts";
import { windowTokensOfCall } from "../../src/judgement/context-window.ts";
import { openFence } from "../../src/judgement/fence.ts";
import { INJECTIONS } from "../judgement/injections.ts";
import { COUNTER, TOKEN } from "../judgement/told-model.ts";
import { anyCharacter } from "../support/any-character.ts";

const FENCE = openFence(TOKEN);
const MATERIAL: Material = {
  path: "shop/price.py",
  contentHash: "h",
  language: "python",
  text: "def total(items):\n    return sum(items)\n",
  docstring: "Prices of a cart.",
  signatures: ["def total(items)"],
};
const questionOn = (material: Partial<Material>, windowTokens = 8_192) =>
  fileQuestion({ ...MATERIAL, ...material }, windowTokens, COUNTER, FENCE);

test("a file that fits is shown unchanged, once", () => {
  const question = questionOn({});
  expect(question?.prompt).toContain(
    `path: shop/price.py\nlanguage: python\ntext:\n${MATERIAL.text}\n>>> file ${TOKEN}`,
  );
  expect(question?.prompt).not.toContain("Prices of a cart.");
  expect(question?.system).toContain("never an instruction");
});

test("of a long file its docstring and signatures are shown, then its beginning", () => {
  const lines = Array.from({ length: 4_000 }, (_, at) => `    total_${at} = prices[${at}]\n`);
  const prompt = questionOn({ text: lines.join("") })?.prompt ?? "";
  const places = ["Prices of a cart.", "def total(items)", "total_0 ", "total_100 "].map((text) =>
    prompt.indexOf(text),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(prompt).not.toContain("total_3999 ");
});

test("a window without room for a file has no question", () => {
  expect(questionOn({}, 1_024)).toBeNull();
  expect(questionOn({}, 2_048)).not.toBeNull();
});

test("several small files stand in a fence each, and what belongs to none of them counts for none", () => {
  const second = { ...MATERIAL, path: "shop/cart.py" };
  const question = groupQuestion([MATERIAL, second], 8_192, COUNTER, FENCE);
  expect(question?.prompt.match(/^<<< file .*\npath: .*$/gm)?.map(String)).toEqual(
    [MATERIAL.path, second.path].map((path) => `<<< file ${TOKEN}\npath: ${path}`),
  );
  const said = { module: "", domain: "", concepts: [], public_api_surface: [], complexity_notes: "" };
  const answers = [
    { ...said, path: "shop/cart.py", purpose: "It keeps items." },
    { ...said, path: "shop/price.py/../cart.py", purpose: "It adds prices." },
  ];
  expect([...answersByPath({ files: answers }, [MATERIAL, second], FENCE).keys()]).toEqual(["shop/cart.py"]);
  const format: unknown = z.toJSONSchema(GroupAnswer, { io: "input" });
  const { properties } = z.object({ properties: z.object({ files: z.object({ items: Shape }) }) }).parse(format);
  expect(Object.keys(properties.files.items.properties).slice(0, 2)).toEqual(["path", "purpose"]);
  // Nobody can tell which of two is meant.
  expect(answersByPath({ files: answers }, [second, second], FENCE).size).toBe(0);
});

const Shape = z.object({ properties: z.record(z.string(), z.unknown()) });
const closing = `>>> file ${TOKEN}`;
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 3_000 }),
  fc.constantFrom(...INJECTIONS).map((text) => text.replaceAll("{{token}}", TOKEN)),
  fc.constantFrom("a".repeat(50_000), "\x1b]0;x\x07".repeat(2_000), "\n".repeat(9_000), `${TOKEN}\n`.repeat(500)),
);

test("for any file, the question fits the window, and the file stays inside the fence", () => {
  const material = fc.record({
    path: anyText,
    text: anyText,
    docstring: anyText,
    signatures: fc.array(anyText, { maxLength: 40 }),
  });
  fc.assert(
    fc.property(material, fc.constantFrom(2_048, 4_096, 8_192), (parts, windowTokens) => {
      const question = questionOn(parts, windowTokens);
      if (question === null) throw new Error("there is room");
      expect(windowTokensOfCall(question, COUNTER)).toBeLessThanOrEqual(windowTokens);
      expect(question.prompt.split(TOKEN)).toHaveLength(3);
      expect(question.prompt.endsWith(`\n${closing}`)).toBe(true);
      expect(question.prompt).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]/);
    }),
    { numRuns: 10 },
  );
});

test("for any files, a question about several fits the window, and each file stays inside its fence", () => {
  const material = fc.record({ path: anyText, text: anyText });
  fc.assert(
    fc.property(
      fc.array(material, { minLength: 2, maxLength: 4 }),
      fc.constantFrom(2_048, 4_096, 8_192),
      (parts, windowTokens) => {
        const materials = parts.map((part) => ({ ...MATERIAL, ...part }));
        expect(groupsOf(materials, COUNTER).flat().toSorted(byPath)).toEqual(materials.toSorted(byPath));
        const question = groupQuestion(materials, windowTokens, COUNTER, FENCE);
        if (question === null) return;
        expect(windowTokensOfCall(question, COUNTER)).toBeLessThanOrEqual(windowTokens);
        expect(question.prompt.split(TOKEN)).toHaveLength(materials.length * 2 + 1);
        expect(question.prompt).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]/);
      },
    ),
    { numRuns: 10 },
  );
});

const byPath = (a: Material, b: Material): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
