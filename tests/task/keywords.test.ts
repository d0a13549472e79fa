import { describe, expect, test } from "bun:test";
import { findConcepts, findKeywords } from "../../src/task/keywords.ts";
import { TASK_LIMITS } from "../../src/task/query.ts";
import { splitSections } from "../../src/task/sections/sections.ts";
import { CODE_STOP_WORDS, STOP_WORDS } from "../../src/text/terms/stop-words.ts";

const check = (text: string, expected: string) =>
  test(text, () => expect(findKeywords(splitSections(text).sections).join(" ")).toBe(expected));

describe("keywords", () => {
  // What closes an issue is no word of the task; the same words elsewhere are.
  check(
    "Preserve exports (fixes #10258)\n\nCloses: acme/site#12, resolves https://example.org/i/3",
    "preserve exports acme site",
  );
  check("The dialog closes twice and resolves nothing", "dialog closes twice resolves nothing");
  check("Fix the login validation when LDAP is used", "login validation ldap");
  check("rename handleLoginRequest", "handleloginrequest handle login rename");
  check("why is parse_http_url slow", "parse_http_url parse http url slow");
  check("slow cache\n\nThe lexer in readToken, and `Cache`", "slow cache readtoken read token lexer");
  check("t\n```\nreturn foo(self, total)\n```\n- [x] searched\nplain", "plain total searched");
  check("It doesn't work, GitHub 10th 64bit 12345 d8e8fca2dc0f896f", "github bit");
  check("a I x _ $ of", "");
  check("修复 naïve Größe 登录", "修复 naive grosse 登录");
  check("修复登录问题：ログインできない", "修复 复登 登录 录问 问题 ログ グイ イン ンで");
  check("Исправить поискТоваров в корзине", "поисктоваров поиск товаров исправить корзине");
  check("constructor __proto__ valueOf", "proto valueof value constructor");

  test("are bounded, and the title's come first", () => {
    const text = `alpha beta\n${Array.from({ length: 500 }, (_, at) => `camelCase${"x".repeat(at % 50)}${at}`).join(" ")}`;
    const found = findKeywords(splitSections(text).sections);
    expect(found).toHaveLength(TASK_LIMITS.keywordsMax);
    expect(found.slice(0, 2)).toEqual(["alpha", "beta"]);
  });
});

describe("concepts", () => {
  const concepts = new Set(["login", "error handling", "rate-limiting", "cache", "constructor", "the"]);
  const find = (text: string) => findConcepts(splitSections(text).sections, concepts);
  test("are words that the index knows, in the text's order", () => {
    expect(find("the rateLimiting of Login\n\nerror handling in handleLogin, rate limiting")).toEqual([
      "login",
      "error handling",
      "rate-limiting",
    ]);
  });
  test("are not searched for in code", () => {
    expect(find("t\n```\ncache\n```")).toEqual([]);
  });
  test("are never names of the object prototype", () => {
    expect(findConcepts(splitSections("toString constructor __proto__").sections, new Set(["x"]))).toEqual([]);
    expect(find("constructor")).toEqual(["constructor"]);
  });
});

test("stop words are lower case and single words", () => {
  for (const word of [...STOP_WORDS, ...CODE_STOP_WORDS]) expect(word).toMatch(/^[a-z]+$/);
  expect([STOP_WORDS.size, CODE_STOP_WORDS.size]).toEqual([199, 68]);
});
