/** Names with a sign that most languages do not have in names. */
import { expect, test } from "bun:test";
import { findAnchors } from "../../../src/retrieval/anchors/anchors.ts";
import { analyzeTask } from "../../../src/task/analyze.ts";
import { knowledgeOf } from "../../support/knowledge.ts";

test("a name of Ruby or Elixir that ends with ! or ? is not the name without it", () => {
  const names = ["save", "save!", "empty?", "go"];
  const kb = knowledgeOf({
    files: {
      "cart.rb": {
        text: "class Cart\nend",
        symbols: [
          { name: "Cart", kind: "class", lines: [1, 2] },
          ...names.map((name) => ({ name, kind: "method", lines: [1, 2], parent: 0 }) as const),
        ],
      },
    },
  });
  const found = (text: string): readonly string[] => {
    const task = analyzeTask(text, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() });
    const anchors = findAnchors(task, kb, kb.files()).filter(
      ({ kind }) => kind === "qualified" || kind === "definition",
    );
    return [...new Set(anchors.flatMap(({ symbols }) => kb.symbolsById(symbols)).map(({ name }) => name))].sort();
  };
  expect(found("Cart#save! raises")).toEqual(["Cart", "save", "save!"]);
  expect(found("x\n\nafter `Cart.empty?` it stops")).toEqual(["Cart", "empty?"]);
  expect(found("x\n\n`empty?` or `save!(1)`")).toEqual(["empty?", "save", "save!"]);
  const raises = analyzeTask("Cart#save! raises", {
    given: { paths: [], symbols: [], languages: [] },
    concepts: new Set(),
  });
  expect(findAnchors(raises, kb, kb.files()).map(({ text }) => text)).toContain("Cart#save!");
  expect(found("What does Cart#go?")).toEqual(["Cart", "go"]);
  expect(found("Why is the cart empty?")).toEqual([]);
});

test("a private name of JavaScript is named with its sign, and a member of a class in words is not", () => {
  const kb = knowledgeOf({
    files: {
      "cart.ts": {
        text: "class Cart\nend",
        symbols: [
          { name: "Cart", kind: "class", lines: [1, 2] },
          { name: "#save", kind: "method", lines: [1, 2], parent: 0 },
        ],
      },
    },
  });
  const found = (text: string): readonly string[] => {
    const task = analyzeTask(text, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() });
    return findAnchors(task, kb, kb.files()).flatMap(({ kind, text: name }) => (kind === "definition" ? [name] : []));
  };
  expect(found("why is #save slow")).toEqual(["#save"]);
  expect(found("x\n\n`this.#save()` is slow")).toEqual(["#save"]);
  expect(found("Cart.#save is slow")).toEqual(["Cart", "#save"]);
  expect(found("Cart#save is slow")).not.toContain("#save");
});
