import { expect, test } from "bun:test";
import { precisionQuestion, SYMBOLS_ASKED_MAX } from "../../src/judgement/precision.ts";

test("the description of a symbol for a model: under its file, its name once", () => {
  const { candidates, lists, rest, stage } = precisionQuestion("Fix it", [
    {
      id: 7,
      path: "src/a.ts",
      qualifiedName: "Url.parse",
      kind: "method",
      signature: "parse(text: string):\n  Url",
      doc: "Parses a URL.",
    },
    { id: 8, path: "src/b.ts", qualifiedName: "f", kind: "function", signature: "function f()", doc: "" },
  ]);
  expect(stage).toBe("precision");
  expect([[...lists], rest]).toEqual([["primary", "supporting", "type_context"], "excluded"]);
  expect(candidates).toEqual([
    { key: "7", group: "src/a.ts", text: "method Url.parse (text: string): Url\nParses a URL." },
    { key: "8", group: "src/b.ts", text: "function function f()" },
  ]);
});

test("only the best symbols are asked about", () => {
  const symbols = Array.from({ length: 100 }, (_, id) => ({
    ...{ id, path: "a", qualifiedName: `f${id}`, kind: "function", signature: `f${id}()`, doc: "" },
  }));
  expect(precisionQuestion("Fix it", symbols).candidates.map(({ key }) => key)).toEqual(
    symbols.slice(0, SYMBOLS_ASKED_MAX).map(({ id }) => String(id)),
  );
});
