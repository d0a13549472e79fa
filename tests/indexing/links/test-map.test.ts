import { describe, expect, test } from "bun:test";
import { testMap, testSubject } from "../../../src/indexing/links/test-map.ts";
import { resolveReferences } from "../../../src/indexing/references/resolve-references.ts";
import { languageOf } from "../../../src/languages/languages.ts";
import { fixtureFiles, fixtureTexts } from "../../support/facts.ts";
import { indexed } from "../../support/indexed.ts";
import { resolveImports } from "../../support/resolved-imports.ts";

/** The links of a fixture, as `test -> source score by`. */
async function links(fixture: string): Promise<readonly string[]> {
  const texts = fixtureTexts(fixture);
  const files = await fixtureFiles(texts);
  const imports = resolveImports(files, (path) => texts.get(path) ?? null);
  const map = testMap(files);
  for (const edge of imports.edges) map.addImport(edge);
  for (const edge of resolveReferences(files, imports)) map.add(edge);
  const found = [...map.links()];
  // Test by test they are the same.
  for (const { path } of files) map.end(path);
  expect([...map.links()]).toEqual(found);
  return found.map(({ test: path, source, score, by }) => `${path} -> ${source} ${score} ${by}`);
}

/** The links that names alone give. */
const byName = (...paths: readonly string[]): readonly string[] =>
  [...testMap(paths.map((path) => ({ path, language: languageOf(path) }))).links()].map(
    ({ test: path, source, score }) => `${path} -> ${source} ${score}`,
  );

test.each([
  ["tests/test_auth.py", "auth"],
  ["pkg/server_test.go", "server"],
  ["src/test/java/a/CartTest.java", "Cart"],
  ["src/test/java/a/CartIT.java", "Cart"],
  ["Shop.Tests/CartTests.cs", "Cart"],
  ["tests/CartTest.php", "Cart"],
  ["spec/models/cart_spec.rb", "cart"],
  ["test/test_cart.rb", "cart"],
  ["src/cart.test.tsx", "cart"],
  ["src/cart.spec.ts", "cart"],
  ["src/test/scala/CartSpec.scala", "Cart"],
  ["src/test/scala/CartSuite.scala", "Cart"],
  ["Tests/ShopTests/CartTests.swift", "Cart"],
  ["test/cart_unittest.cc", "cart"],
  ["src/test/TestCart.java", "Cart"],
  ["test/Cart.t.sol", "Cart"],
  ["tests/cart.rs", null],
  ["src/latest.py", null],
])("%s is the test of %p", (path, subject) => {
  expect(testSubject(path)).toBe(subject);
});

test("a test named after a package tests the file of it that it imports", async () => {
  using world = await indexed({
    "src/auth/__init__.py": "",
    "src/auth/handler.py": "def login(name):\n    return name\n",
    "src/auth/tokens.py": "def token(name):\n    return name\n",
    "tests/test_auth.py": "from src.auth.handler import login\n\n\ndef test_login():\n    assert login('a') == 'a'\n",
  });
  const test = world.kb.files().find(({ isTest }) => isTest);
  const pathOf = new Map(world.kb.files().map(({ id, path }) => [id, path]));
  expect(world.kb.testedBy([test?.id ?? -1]).map(({ source }) => pathOf.get(source))[0]).toBe("src/auth/handler.py");
});

test("where a few files are asked about, only their tests are linked, as they are among all", () => {
  const paths = ["src/cart.py", "src/mail.py", "tests/test_cart.py", "tests/test_mail.py", "tests/test_page.py"];
  const map = testMap(paths.map((path) => ({ path, language: languageOf(path) })));
  map.addImport({ source: "tests/test_page.py", target: "src/mail.py" });
  const about = (...of: readonly string[]) => [...map.links(null, new Set(of))];
  const all = [...map.links()];
  const of = (...tests: readonly string[]) => all.filter(({ test: path }) => tests.includes(path));
  expect(all).toHaveLength(3);
  expect(about("src/cart.py")).toEqual(of("tests/test_cart.py"));
  expect(about("src/mail.py", "tests/test_page.py")).toEqual(of("tests/test_mail.py", "tests/test_page.py"));
  expect(about(...paths)).toEqual(all);
});

describe("names", () => {
  test("match in any spelling within a language, nearer folders first", () => {
    expect(
      byName("src/cart_item.rb", "src/CartItem.php", "app/one/cart.py", "app/two/cart.py", "tests/two/test_cart.py"),
    ).toEqual(["tests/two/test_cart.py -> app/two/cart.py 0.3", "tests/two/test_cart.py -> app/one/cart.py 0.25"]);
    expect(byName("src/Cart.sol", "src/Cart.t.sol")).toEqual(["src/Cart.t.sol -> src/Cart.sol 0.6"]);
    expect(byName("lib/cart_item.rb", "spec/CartItem_spec.rb")).toEqual([
      "spec/CartItem_spec.rb -> lib/cart_item.rb 0.5",
    ]);
  });

  test("of plain files in a test folder count less", () => {
    expect(byName("src/cart.rs", "tests/cart.rs")).toEqual(["tests/cart.rs -> src/cart.rs 0.25"]);
  });

  test("shared by very many sources do not count", () => {
    const many = Array.from({ length: 30 }, (_, at) => `p${at}/index.ts`.replace("index", "main"));
    expect(byName(...many, "tests/main.test.ts")).toEqual([]);
    expect(byName(...many, "p7/main.test.ts")).toEqual(["p7/main.test.ts -> p7/main.ts 0.6"]);
  });
});

test("name, import and use together give the full confidence, each alone a part", async () => {
  expect(
    await links(`
//- app/cart.py
def put(): ...
//- app/other.py
def help(): ...
//- tests/test_cart.py
from app.cart import put
from app.other import help
def test_put():
    put()
def test_more():
    put()
    help()
`),
  ).toEqual([
    "tests/test_cart.py -> app/cart.py 0.9 name,import,reference",
    "tests/test_cart.py -> app/other.py 0.2 import,reference",
  ]);
});

test("a test of the same package is linked by what it uses", async () => {
  expect(
    await links(`
//- go.mod
module example.org/shop
//- cart/store.go
package cart
func Put() {}
//- cart/store_test.go
package cart
func TestPut() { Put() }
//- cart/all_test.go
package cart
func TestAll() { Put() }
`),
  ).toEqual([
    "cart/all_test.go -> cart/store.go 0.25 reference",
    "cart/store_test.go -> cart/store.go 0.85 name,reference",
  ]);
});

test("a test has a bounded number of links, the best ones", async () => {
  const sources = Array.from({ length: 40 }, (_, at) => `//- app/m${at}.py\ndef f${at}(): ...\n`).join("");
  const imports = Array.from({ length: 40 }, (_, at) => `from app.m${at} import f${at}\n`).join("");
  const found = await links(`${sources}//- tests/test_m7.py\n${imports}\ndef test_it():\n    f7()\n`);
  expect(found).toHaveLength(20);
  expect(found[0]).toBe("tests/test_m7.py -> app/m7.py 0.9 name,import,reference");
});

test("the index stores the links, and a selected test names what it tests", async () => {
  using world = await indexed({
    "app/cart.py": "def put_item(item):\n    return item\n",
    "tests/test_cart.py": "from app.cart import put_item\n\ndef test_put_item():\n    assert put_item(1) == 1\n",
  });
  const idOf = new Map(world.kb.files().map(({ id, path }) => [path, id]));
  const source = idOf.get("app/cart.py") ?? 0;
  const link = { test: idOf.get("tests/test_cart.py") ?? 0, source, score: 0.9, by: "name,import,reference" };
  expect(world.kb.testedBy([link.test])).toEqual([link]);
  expect(world.kb.testedBy([source])).toEqual([]);

  const { selection } = await world.run("put_item loses items");
  const whys = selection.symbols.map(({ symbol, why }) => [symbol.name, why]);
  expect(whys).toContainEqual(["test_put_item", "uses put_item, which the task names; tests app/cart.py"]);
  expect(whys).toContainEqual(["put_item", "the task names it"]);
});
