/** Tasks in any script: title, keywords, names, and texts made to do harm. */
import { describe, expect, test } from "bun:test";
import { analyzeTask } from "../../src/task/analyze.ts";

const analyze = (text: string) =>
  analyzeTask(text, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() });

describe("a task in another script", () => {
  test("has a title that ends with its first sentence", () => {
    const first = "登录验证失败时应该重试三次而不是直接返回错误给用户".repeat(2);
    const { title } = analyze(`${first}。${"其余说明".repeat(40)}`);
    expect(title).toBe(first);
    expect(analyze(`${"Поиск не находит товары в корзине. ".repeat(8)}`).title).toBe(
      "Поиск не находит товары в корзине",
    );
    expect(analyze("# Исправить поиск\n\nТекст").title).toBe("Исправить поиск");
  });
  test("names symbols that are spelt like code, called or in backticks", () => {
    const { symbolHints } = analyze("Ошибка в НайтиТовар и добавить_товар, `корзина` и prüfeGröße()");
    expect(symbolHints.map(({ text }) => text).sort()).toEqual([
      "prüfeGröße",
      "НайтиТовар",
      "добавить_товар",
      "корзина",
    ]);
  });
});

test("combining marks, lone surrogates, direction marks and emoji do no harm", () => {
  for (const unit of ["\u0301", "字\u0301", "\ud83d", "\u202eא", "👩‍👩‍👧", "ค้"]) {
    const { keywords, title } = analyze(`поиск ${unit.repeat(20_000)}`);
    expect(keywords[0]).toBe("поиск");
    expect(title).not.toBe("");
  }
});
