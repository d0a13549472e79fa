/** Searching an index, and its pure parts. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bestLine, highlight, MARK_END, MARK_START } from "../../../../src/db/curated/full-text/highlight.ts";
import { search } from "../../../../src/db/curated/full-text/search.ts";
import { CURATED_SCHEMA } from "../../../../src/db/curated/schema.ts";
import { curatedWriter } from "../../../../src/db/curated/write/write.ts";
import type { Db } from "../../../../src/db/sqlite/db.ts";
import {
  distinctTerms,
  indexedText,
  matchExpression,
  queryWords,
  termCache,
} from "../../../../src/db/sqlite/full-text.ts";
import { openDatabase } from "../../../../src/db/sqlite/open.ts";
import { countTerms } from "../../../../src/languages/count-terms.ts";
import type { FileFacts, SymbolFact } from "../../../../src/syntax/facts/facts.ts";
import { anyCharacter } from "../../../support/any-character.ts";

/** Lines that begin with "def " define a symbol; its name is the last part of what is written there. */
function factsOf(text: string): FileFacts {
  const symbols = text.split("\n").flatMap((line, index): SymbolFact[] => {
    const qualifiedName = /^def ([\w.]+)/.exec(line)?.[1];
    const at = index + 1;
    if (qualifiedName === undefined) return [];
    return [
      {
        name: qualifiedName.slice(qualifiedName.lastIndexOf(".") + 1),
        qualifiedName,
        kind: "function",
        startLine: at,
        endLine: at,
        docLine: at,
        nameLine: at,
        signature: line,
        signatureTokens: 1,
        bodyTokens: 1,
        parent: null,
        exported: true,
        doc: null,
      },
    ];
  });
  return {
    parsed: true,
    problem: null,
    namespace: null,
    lineCount: 1,
    tokenCount: 1,
    doc: null,
    symbols,
    comments: [],
    imports: [],
    references: [],
    exportedAs: {},
    commentLines: [],
  };
}

function indexOf(files: Readonly<Record<string, string>>): Db {
  const db = openDatabase(":memory:", "write", CURATED_SCHEMA);
  const writer = curatedWriter(db);
  writer.begin();
  writer.setRepo({ path: "/r", remoteUrl: null, head: null, indexedAt: "t" });
  for (const [path, text] of Object.entries(files))
    writer.putFile(
      {
        path,
        language: "python",
        contentHash: path,
        interfaceHash: text,
        sizeBytes: Buffer.byteLength(text),
        isTest: path.startsWith("tests/"),
        facts: factsOf(text),
        stats: countTerms(text, "python", factsOf(text)),
        text,
        secretFreeBy: null,
      },
      null,
    );
  writer.commit();
  return db;
}

const DB = indexOf({
  "src/login.py": "def handleLoginRequest(user):\n  return check_password(user)\n",
  "src/session.py": "# the login page\ndef login():\n  pass\n",
  "src/parse_http_url.py": "def parse_http_url(text):\n  'größe 日本語 404'\n",
  "docs/100%_done.md": "nothing here\n",
  "docs/other.md": "a login form, a password, and a request\n",
});

const check = (name: string, query: string, ...expected: readonly string[]): void =>
  test(name, () => {
    const found = search(DB, query, 20).map(({ what, path, line, name }) =>
      what === "symbol" ? `${path}:${line} ${name}` : `${path}:${line}`,
    );
    expect(found).toEqual([...expected]);
  });

describe("search", () => {
  check(
    "an exact symbol beats a file name, a part of a name and text",
    "login",
    "src/session.py:2 login",
    "src/login.py:1",
    "src/login.py:1 handleLoginRequest",
    "docs/other.md:1",
    "src/session.py:1",
  );
  check(
    "a part of an identifier is found, written any way",
    "login_request",
    "src/login.py:1 handleLoginRequest",
    "docs/other.md:1",
  );
  check("all words are wanted where they can be had", "check password", "src/login.py:2");
  check("any word is, where not", "password zebra", "docs/other.md:1", "src/login.py:2");
  check(
    "either of two names",
    "handleLoginRequest|parse_http_url",
    "src/login.py:1 handleLoginRequest",
    "src/parse_http_url.py:1 parse_http_url",
    "src/parse_http_url.py:1",
  );
  check("either, as grep writes it", "(check_pass\\|größe)", "src/login.py:2", "src/parse_http_url.py:2");
  check("a bar between blanks, and two of them, is code", "check || password", "src/login.py:2");
  check("the last word may be unfinished", "check passw", "src/login.py:2");
  check("a path", "src/login.py", "src/login.py:1");
  check("signs of like are plain text", "100%_d", "docs/100%_done.md:1");
  check("only what is written is a wild card", "%_%");
  check("other scripts and numbers", "日本語", "src/parse_http_url.py:2");
  check("numbers", "404", "src/parse_http_url.py:2");
  check("marks on letters do not matter", "grosse", "src/parse_http_url.py:2");
  check("umlauts in capitals", "GRÖSSE", "src/parse_http_url.py:2");
  check("umlauts as written", "GRÖßE", "src/parse_http_url.py:2");
  check("nothing", "   ");
  check("punctuation only", "(((");
  test("never throws and never exceeds the limit, whatever the query", () => {
    const operators = fc.constantFrom(
      '"',
      "NEAR(",
      "*",
      " AND ",
      " OR ",
      "NOT",
      "^",
      "{a b}:",
      "-",
      ":",
      "login",
      "'",
      "\0",
      "%",
      "\\",
      "(",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(operators).map((parts) => parts.join("")),
        ),
        (query) => {
          expect(search(DB, query, 2).length).toBeLessThanOrEqual(2);
        },
      ),
    );
    expect(search(DB, "login ".repeat(100_000), 5).length).toBeGreaterThan(0);
    expect(search(DB, "login", 0)).toEqual([]);
  });
  test("hits are marked", () => {
    expect(
      search(DB, "login", 20).map(({ snippet }) => snippet.replaceAll(MARK_START, "[").replaceAll(MARK_END, "]")),
    ).toEqual([
      "def [login]():",
      "src/[login].py",
      "def handle[Login]Request(user):",
      "a [login] form, a password, and a request",
      "# the [login] page",
    ]);
  });
  test("files come by how often, and in how few words, they have what is rare, and a path counts more than a text", () => {
    const words = (count: number): string => Array.from({ length: count }, (_, at) => ` w${at}`).join("");
    const db = indexOf({
      "often.md": `zebra zebra zebra zebra${words(36)}`,
      "once.md": `zebra${words(39)}`,
      "long.md": `zebra${words(400)}`,
      "rare.md": `okapi${words(39)}`,
      "docs/zebra_okapi_rare.md": words(40),
      "other.md": words(40),
      "number.md": `404 404${words(38)}`,
      "runs.md": "検索語 索検",
    });
    const found = (query: string): string =>
      search(db, query, 20)
        .map(({ path }) => path)
        .join(" ");
    expect(found("w1 zebra")).toBe("docs/zebra_okapi_rare.md often.md once.md long.md");
    expect(found("xx okapi")).toBe("docs/zebra_okapi_rare.md rare.md");
    expect(found("w0 zeb")).toBe("docs/zebra_okapi_rare.md often.md once.md long.md");
    expect(found("404")).toBe("number.md");
    expect(found("検索語")).toBe("runs.md");
    db.close();
  });
  test("of a file with parts of a word only, a line with these is shown", () => {
    const db = indexOf({ "notes.md": "first\nthe form for a login\nlast\n" });
    expect(search(db, "login2", 5)).toMatchObject([
      { path: "notes.md", line: 2, snippet: `the form for a ${MARK_START}login${MARK_END}` },
    ]);
    expect(search(db, "loginForm", 5)).toMatchObject([
      { line: 2, snippet: `the ${MARK_START}form${MARK_END} for a ${MARK_START}login${MARK_END}` },
    ]);
    db.close();
  });
  test("removed and replaced texts are not found", () => {
    const db = indexOf({ "a.py": "def alpha():\n", "b.py": "def beta():\n" });
    const writer = curatedWriter(db);
    const [a, b] = writer.files();
    writer.begin();
    writer.removeFiles([a?.id ?? 0]);
    const text = "def gamma():\n";
    writer.putFile(
      {
        path: "b.py",
        language: "python",
        contentHash: "x",
        interfaceHash: text,
        sizeBytes: Buffer.byteLength(text),
        isTest: false,
        facts: factsOf(text),
        stats: countTerms(text, "python", factsOf(text)),
        text,
        secretFreeBy: null,
      },
      b?.id ?? null,
    );
    writer.commit();
    expect(["alpha", "beta"].flatMap((query) => search(db, query, 9))).toEqual([]);
    expect(search(db, "gamma", 9).length).toBe(1);
  });
});

test("a file found by its content names its other lines with the whole query", () => {
  const use = "total(cart)\n";
  const db = indexOf({
    "many.py": use.repeat(30),
    "shop.py": `from price import total\n\n${use}subtotals\nTOTAL\ntot\n`,
  });
  const lines = search(db, "total", 9).map(({ path, line, more }) => ({ path, line, more }));
  expect(lines).toContainEqual({ path: "shop.py", line: 1, more: [3, 4, 5] });
  expect(lines).toContainEqual({ path: "many.py", line: 1, more: Array.from({ length: 20 }, (_, at) => at + 2) });
  for (const hit of search(db, "total tot", 9)) expect(hit).not.toHaveProperty("more");
});

describe("the uses of a name", () => {
  const db = indexOf({
    "docs/find/package.md": "find a package, find the package\n".repeat(9),
    "docs/notes.md": `${"package, find\n".repeat(20)}`,
    "lib/app.py": "\nfrom lib.pack import find_package\n\nroot = find_package(name)\n",
    "lib/pack.py": "def find_package(name):\n  pass\n",
    "lib/paths.py": "def _find_package_path(name):\n  return find_package(name)\n",
    "lib/root.py": "def package_root(name): find it\n  pass\n",
    "tests/pack.py": "find_package(1)\n".repeat(5),
  });
  const places = (query: string, limit = 20): readonly string[] =>
    search(db, query, limit).map(({ path, line, name, more = [] }) =>
      [path, line, name ?? "", ...more].join(" ").trim(),
    );

  test("follow its definitions, without the lines of these and without files that have parts of it", () =>
    expect(places("find_package")).toEqual([
      "lib/pack.py 1 find_package",
      "lib/paths.py 1 _find_package_path",
      "lib/app.py 2  4",
      "lib/paths.py 2",
      "tests/pack.py 1  2 3 4 5",
      "lib/root.py 1 package_root",
    ]));
  test("come before definitions with its words, and behind the definition that is typed as in its own line", () =>
    expect(places("find_package(")).toEqual([
      "lib/pack.py 1 find_package",
      "lib/app.py 4",
      "lib/paths.py 2",
      "tests/pack.py 1  2 3 4 5",
      "lib/paths.py 1 _find_package_path",
      "lib/root.py 1 package_root",
    ]));
  test("come first however often other files have its parts", () =>
    expect(places("find_package(", 2)).toEqual(["lib/pack.py 1 find_package", "lib/app.py 4"]));
  test("show what a file with the name in its path has of it, but a definition that is listed", () => {
    const db = indexOf({
      "lib/user_forms.py": "def user_form():\n  pass\n",
      "lib/user_form_page.py": "\nuser_form()\n",
      "lib/user_form_old.py": "\n",
      "user_form.py": "def user_form():\n  pass\n",
    });
    const hits = search(db, "user_form", 20).map(({ path, line, name }) => `${path}:${line} ${name ?? ""}`.trim());
    expect(hits).toEqual([
      "lib/user_forms.py:1 user_form",
      "user_form.py:1 user_form",
      "user_form.py:1",
      "lib/user_form_old.py:1",
      "lib/user_form_page.py:2",
    ]);
    db.close();
  });
  test("come before the members of a class", () => {
    const members = Array.from({ length: 9 }, (_, at) => `def Place.get${at}`).join("\n");
    const db = indexOf({ "b.py": `def Place\n${members}`, "c.py": "near(Place)" });
    const names = search(db, "Place", 4).map(({ path, name }) => `${path} ${name ?? ""}`.trim());
    expect(names).toEqual(["b.py Place", "b.py", "c.py", "b.py Place.get0"]);
    db.close();
  });
  test("a definition is found as it is written, however often others have its words", () => {
    const others = Array.from({ length: 9 }, (_, at) => `def class_place${at}(class, place)`).join("\n");
    const db = indexOf({ "a.py": others, "b.py": `def Place # class Place, with ${"many other words ".repeat(9)}` });
    expect(search(db, "class Place", 1)).toMatchObject([{ path: "b.py", name: "Place" }]);
    db.close();
  });
  test("do not replace files with all words of a phrase, which come behind those with the phrase", () =>
    expect(places("find a package").filter((place) => place.startsWith("docs"))).toEqual([
      "docs/find/package.md 1  2 3 4 5 6 7 8 9",
      "docs/notes.md 1",
    ]));
});

describe("search in any script", () => {
  const db = indexOf({
    "docs/корзина.md": "# Корзина покупок\nСервис ПОИСКА товаров и ещё скидки.\n",
    "src/auth.py": "# 用户登录验证失败时重试\ndef 登录用户():\n  pass\n",
    "src/cart.py": "# ログイン画面のバグ\n# 검색을 고칩니다\n# การค้นหาสินค้า\n",
    "src/café.py": "naïve = 'GRÖSSE'\n",
  });
  const places = (query: string): readonly string[] => search(db, query, 9).map(({ path, line }) => `${path}:${line}`);
  const finds = (query: string, first: string | undefined): void =>
    test(query, () => expect(places(query)[0]).toBe(first));
  finds("поиска", "docs/корзина.md:2");
  finds("Еще", "docs/корзина.md:2");
  finds("покуп", "docs/корзина.md:1");
  finds("登录用户", "src/auth.py:2");
  finds("登录验证", "src/auth.py:1");
  finds("登录的验证", "src/auth.py:1");
  finds("失", "src/auth.py:1");
  finds("画面", "src/cart.py:1");
  finds("ﾊﾞｸﾞ", "src/cart.py:1");
  finds("검색", "src/cart.py:2");
  finds("ค้นหา", "src/cart.py:3");
  finds("cafe", "src/café.py:1");
  finds("größe", "src/café.py:1");
  finds("бег", undefined);
  test("marks matches in their original spelling", () => {
    const shown = search(db, "größe", 1)[0]?.snippet.replaceAll(MARK_START, "[").replaceAll(MARK_END, "]");
    expect(shown).toBe("naïve = '[GRÖSSE]'");
  });
  test("long queries without spaces find nothing and stay fast", () => {
    expect(search(db, "检".repeat(5_000), 9)).toEqual([]);
    expect(search(db, `登录${"检索".repeat(5_000)}`, 9).length).toBe(1);
    expect(search(db, `a${"\u0301".repeat(20_000)}`, 9)).toEqual([]);
  });
});

describe("names within a limit", () => {
  const db = indexOf({
    "a.py": Array.from({ length: 9 }, (_, n) => `def Session${n}.of`).join("\n"),
    "b.py": ["def Store.session", "def session_cookie_lifetime", "def SessionMixin", "def SessionMixin.new"].join("\n"),
    "c.py": "def Session\n",
    "tests/a.py": "def Session\n",
  });
  const check = (query: string, limit: number, ...expected: readonly string[]): void =>
    test(`${query}, ${limit}`, () =>
      expect(search(db, query, limit).flatMap(({ path, name }) => (name === null ? [] : [`${path} ${name}`]))).toEqual([
        ...expected,
      ]));
  check("session", 1, "c.py Session");
  check("Session", 2, "c.py Session", "tests/a.py Session");
  check(
    "session",
    5,
    "c.py Session",
    "tests/a.py Session",
    "b.py Store.session",
    "b.py SessionMixin",
    "b.py session_cookie_lifetime",
  );
  check("SESSIONMIXIN", 3, "b.py SessionMixin", "b.py SessionMixin.new");
  check("mixin.ne", 1, "b.py SessionMixin.new");
});

test("terms of a text", () => {
  expect(indexedText("handleLoginRequest(x) parse_http_url é été 42")).toBe(
    "handleloginrequest handle login request parse_http_url parse http url ete 42",
  );
  expect(indexedText("a".repeat(200))).toBe("");
  expect(queryWords("get_user get_user (x) Name")).toEqual(["get_user", "Name"]);
  expect(matchExpression(["getUser", "x2y"], "all")).toBe('("getuser" OR ("get" AND "user")) AND ("x2y" *)');
  expect(matchExpression([], "any")).toBeNull();
  expect(indexedText("登录验证 404错误 锁 Поиск")).toBe("登录 录验 验证 证 404 错误 误 锁 поиск");
  expect(queryWords("user登录验证 锁 Поиск")).toEqual(["user", "登录验证", "锁", "Поиск"]);
  expect(matchExpression(["登录验证", "锁"], "all")).toBe('("登录 录验 验证") AND ("锁" *)');
  expect(matchExpression(["登录验证"], "any")).toBe('("登录" OR "录验" OR "验证")');
});

test("terms of a text are those of its words, whatever was read before", () => {
  const words = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$]*/gu;
  const known = termCache();
  const piece = fc.oneof(
    fc.constantFrom(
      "getUser",
      "x2y",
      "42",
      "a".repeat(81),
      "été",
      "naïve",
      "\u0301e",
      "登录验证",
      "404错误",
      "“q”",
      "_$",
      "a_b",
    ),
    fc.constantFrom(" ", "-", "\n", "", "“"),
    fc.string({ unit: anyCharacter, maxLength: 3 }),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, text, (first, second) => {
      const found = (first + second).match(words) ?? [];
      const of = (written: readonly string[]): readonly string[] =>
        written.map((word) => indexedText(word)).filter((terms) => terms !== "");
      expect(indexedText(first + second, known)).toBe(of(found).join(" "));
      const apart = [first, second].flatMap((part) => part.match(words) ?? []);
      expect(distinctTerms([Buffer.from(first), Buffer.from(second)], known)).toEqual({
        terms: of([...new Set(apart)]).join(" "),
        count: of(apart)
          .join(" ")
          .split(" ")
          .filter((term) => term !== "").length,
      });
    }),
    { numRuns: 100 },
  );
});

describe("highlight", () => {
  const marked = (text: string, ...needles: string[]): string =>
    highlight(text, needles).replaceAll(MARK_START, "[").replaceAll(MARK_END, "]");
  test("overlapping matches are merged", () =>
    expect(marked("a Login page", "login", "log", "in p")).toBe("a [Login p]age"));
  test("removes marks that the text already contains", () =>
    expect(marked(`x${MARK_START}y${MARK_END}`, "y")).toBe("x[y]"));
  test("marks another spelling as written", () => {
    expect(marked("Ein Großer Café\u0301", "gross", "CAFE")).toBe("Ein [Groß]er [Café\u0301]");
    expect(marked("\u0301ﬁnd İt", "in", "it")).toBe("\u0301[ﬁn]d [İt]");
  });
  test("removing the marks restores the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.string({ maxLength: 3 })), (text, needles) => {
        const clean = text.replaceAll(MARK_START, "").replaceAll(MARK_END, "");
        expect(highlight(text, needles).replaceAll(MARK_START, "").replaceAll(MARK_END, "")).toBe(clean);
      }),
    );
  });
  test("the best line is the one with the most needles, cut around the first", () => {
    const long = `${"x".repeat(300)} login form ${"y".repeat(300)}`;
    const best = bestLine(`login\n${long}\nform login\n`, ["login", "form"]);
    expect(best?.line).toBe(2);
    expect(best?.snippet.startsWith("…")).toBe(true);
    expect(best?.snippet).toContain(`${MARK_START}login${MARK_END} ${MARK_START}form${MARK_END}`);
    expect(best?.snippet.length).toBeLessThan(180);
    expect(bestLine("nothing", ["login"])).toBeNull();
    // What a short word is a part of says little.
    expect(bestLine("import pytest\nfrom shop.sessions import Session", ["sessions.py", "sessions", "py"])?.line).toBe(
      2,
    );
    expect(bestLine("add it or is\nadd the item", ["add", "item", "is"])?.line).toBe(2);
    expect(bestLine("an item\nto add an item", ["add", "item"])?.line).toBe(2);
  });
});
