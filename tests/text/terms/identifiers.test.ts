import { expect, test } from "bun:test";
import fc from "fast-check";
import { expandIdentifier, identifiersIn, termsIn } from "../../../src/text/terms/identifiers.ts";
import { anyCharacter } from "../../support/any-character.ts";

const check = (name: string, terms: readonly string[]): void => expect(expandIdentifier(name)).toEqual(terms);

test("splits camelCase, snake_case, acronyms and digits", () => {
  check("handleLoginRequest", ["handleloginrequest", "handle", "login", "request"]);
  check("parse_http_url", ["parse_http_url", "parse", "http", "url"]);
  check("HTTPServer", ["httpserver", "http", "server"]);
  check("sha256sum", ["sha256sum", "sha", "256", "sum"]);
});

test("gives a plain word once, with any surrounding characters", () => {
  check("login", ["login"]);
  check("__init__", ["init"]);
  check("$scope", ["scope"]);
  check("URL", ["url"]);
});

test("drops terms of one character but keeps what they were part of", () => {
  check("x", []);
  check("_", []);
  check("x1", ["x1"]);
  check("aB", ["ab"]);
  check("isX", ["isx", "is"]);
});

test("finds identifiers in prose and code", () => {
  expect(identifiersIn("call foo.bar(baz_1) — née 3d")).toEqual(["call", "foo", "bar", "baz_1", "née", "d"]);
  expect(termsIn("getUser(userId)")).toEqual(["getuser", "get", "user", "userid", "user", "id"]);
});

test("splits names of any script", () => {
  check("НайтиТовар", ["найтитовар", "найти", "товар"]);
  check("παράδειγμα_ΤΕΛΟΣ", ["παραδειγμα_τελοσ", "παραδειγμα", "τελοσ"]);
  check("getДанные2", ["getданные2", "get", "данные"]);
  check("हिन्दी", ["हिन्दी"]);
  check("ж", []);
});

test("gives pairs of characters for scripts without spaces, and a single character as itself", () => {
  check("登录验证", ["登录", "录验", "验证"]);
  check("锁", ["锁"]);
  check("검색을", ["검색", "색을"]);
  check("ค้นหา", ["ค้น", "นห", "หา"]);
  check("𠀀𠀁", ["𠀀𠀁"]);
  check("user名前_id", ["user", "名前", "id"]);
  expect(identifiersIn("第3章：ログ、user名前_id")).toEqual(["第", "章", "ログ", "user", "名前", "_id"]);
});

test("all spellings of a word are one", () => {
  const same = (...words: readonly string[]): void =>
    expect(new Set(words.map((word) => termsIn(word).join(" "))).size).toBe(1);
  same("café", "cafe\u0301", "CAFÉ", "cafe");
  same("größe", "GRÖSSE", "GRÖẞE");
  same("İstanbul", "istanbul", "ıstanbul");
  same("ΑΝΑΖΗΤΗΣΗΣ", "αναζήτησης");
  same("ещё", "ЕЩЕ");
  same("ｕｓｅｒ", "USER");
  same("ﾊﾞｸﾞ", "バグ");
  same("مُحَمَّد", "محمد");
  expect(termsIn("мои")).not.toEqual(termsIn("мой"));
});

/** How ASCII text was always read. */
const ASCII_NAME = /[A-Za-z_$][A-Za-z0-9_$]*/g;
const ASCII_PART = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
function asciiTerms(name: string): readonly string[] {
  const whole = name.toLowerCase().replace(/^[_$]+|[_$]+$/g, "");
  const parts = (name.match(ASCII_PART) ?? []).map((part) => part.toLowerCase()).filter((part) => part.length > 1);
  return [whole, ...(parts.join() === whole ? [] : parts)].filter((term) => term.length > 1);
}
const asciiText = fc.string({ unit: "grapheme-ascii", maxLength: 60 });
const codeText = fc
  .array(fc.constantFrom(..."a B ab CD x_y _ $ 9 42 HTTPServer . ( é 字 к \u0301 — \ud83d".split(" "), " "))
  .map((pieces) => pieces.join(""));

test("ASCII text gives the terms of the ASCII rules", () => {
  fc.assert(
    fc.property(fc.oneof(asciiText, codeText), (mixed) => {
      const text = mixed.replaceAll(/[^\x00-\x7f]/g, " ");
      expect(identifiersIn(text)).toEqual(text.match(ASCII_NAME) ?? []);
      expect(termsIn(text)).toEqual((text.match(ASCII_NAME) ?? []).flatMap(asciiTerms));
    }),
    { numRuns: 500 },
  );
});

test("surrounding text does not change the terms of a word", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter, maxLength: 20 }), codeText), (text) => {
      expect(identifiersIn(`${text} — é`)).toEqual([...identifiersIn(text), "é"]);
    }),
    { numRuns: 200 },
  );
});

test("terms of any text are normalized words, few for its length", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: "grapheme" }), codeText), (text) => {
      const terms = termsIn(text);
      for (const term of terms) {
        expect(term).toMatch(/^[\p{L}\p{M}\p{N}_$]+$/u);
        expect(term).toBe(term.toLowerCase());
      }
      expect(terms.length).toBeLessThanOrEqual(18 * text.length);
    }),
    { numRuns: 500 },
  );
});

test("letters, marks and digits are never separators", () => {
  const lost: string[] = [];
  for (let code = 0x80; code < 0x10000; code += 1) {
    const character = String.fromCharCode(code);
    const counts = /[\p{L}\p{N}]/u.test(character) || /(?=\p{M})\p{sc=Inherited}/u.test(character);
    if (counts && identifiersIn(`a${character}`).join() === "a") lost.push(code.toString(16));
  }
  expect(lost).toEqual([]);
});

test("names of the prototype are ordinary words", () => {
  check("constructor", ["constructor"]);
  check("__proto__", ["proto"]);
});

test("every term is lower case, has at least two characters, and consists of the identifier's characters", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,30}$/), (name) => {
      for (const term of expandIdentifier(name)) {
        expect(term.length).toBeGreaterThan(1);
        expect(name.toLowerCase()).toContain(term);
      }
    }),
  );
});

test("long runs are read to their end", () => {
  const length = 200_000;
  for (const run of ["_", "$", "a", "A", "1", "aB", "_a"])
    expect(expandIdentifier(`x${run.repeat(length)}x`)[0]?.[0]).toBe("x");
});

test("long runs of other scripts and of marks are read in one pass", () => {
  const length = 10_000;
  for (const run of ["\u0301", "字", "字\u0301", "кК", "_к", "ß", "к1", "\ud83d", "\u202eк", "😀", "ำ"]) {
    const terms = termsIn(`x${run.repeat(length)}`);
    expect(terms.length).toBeLessThanOrEqual(2 * length);
    expect(Math.max(0, ...terms.slice(0, 1_000).map((term) => term.length))).toBeLessThanOrEqual(2 * length + 1);
  }
});
