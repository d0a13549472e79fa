/** What the names of a request mean, as people, importers and test runners write them. */
import { expect, test } from "bun:test";
import { refineTargets } from "../../../src/retrieval/refinement/refine-targets.ts";
import {
  mergeConstraints,
  NO_CONSTRAINTS,
  type RefinementRequest,
} from "../../../src/retrieval/requests/refinement.ts";
import { knowledgeOf } from "../../support/knowledge.ts";

const kb = knowledgeOf({
  files: {
    "src/flask/sessions.py": {
      text: "class Session:\n  def close(self):\n    pass\ndef get_version():\n  pass\n",
      symbols: [
        { name: "Session", kind: "class", lines: [1, 3] },
        { name: "close", kind: "method", lines: [2, 3], parent: 0 },
        { name: "get_version", kind: "function", lines: [4, 5] },
      ],
    },
    "src/flask/other.py": {
      text: "class Other:\n  def close(self):\n    pass\n",
      symbols: [
        { name: "Other", kind: "class", lines: [1, 3] },
        { name: "close", kind: "method", lines: [2, 3], parent: 0 },
      ],
    },
    "src/shop/buffer.cpp": {
      text: "struct Buffer {\n  char operator()(int);\n};\n",
      symbols: [
        { name: "Buffer", kind: "class", lines: [1, 3] },
        { name: "operator()", kind: "method", lines: [2, 2], parent: 0 },
      ],
    },
    "src/main/java/com/shop/Cart.java": {
      text: "class Cart {\n  void add() {}\n}\n",
      symbols: [
        { name: "Cart", kind: "class", lines: [1, 3] },
        { name: "add", kind: "method", lines: [2, 2], parent: 0 },
      ],
    },
    "crates/ignore/src/gitignore/mod.rs": {
      text: "mod tests {\n  fn ig1() {}\n}\n",
      symbols: [
        { name: "tests", kind: "namespace", lines: [1, 3] },
        { name: "ig1", kind: "function", lines: [2, 2], parent: 0 },
      ],
    },
    "tests/test_sessions.py": {
      text: "class TestClose:\n  def test_twice(self):\n    pass\ndef test_open():\n  pass\n",
      symbols: [
        { name: "TestClose", kind: "class", lines: [1, 3] },
        { name: "test_twice", kind: "method", lines: [2, 3], parent: 0 },
        { name: "test_open", kind: "function", lines: [4, 5] },
      ],
    },
    "cart_test.go": {
      text: "func TestAdd(t *testing.T) {\n}\n",
      symbols: [{ name: "TestAdd", kind: "function", lines: [1, 2] }],
    },
  },
});

/** The symbols that a request leads to, or why it leads to none. */
function found(request: RefinementRequest): readonly string[] {
  const { anchors, notices } = refineTargets(mergeConstraints(NO_CONSTRAINTS, request), kb, kb.files());
  const symbols = kb.symbolsById(anchors.flatMap((anchor) => anchor.symbols));
  return [
    ...symbols.map(({ qualifiedName }) => qualifiedName),
    ...notices.map((notice) => (notice.code === "refinement-unknown" ? notice.why : notice.code)),
  ];
}

test.each([
  ["get_version", "get_version"],
  ["get_version()", "get_version"],
  ["Session.close()", "Session.close"],
  ["Session::close", "Session.close"],
  ["src/flask/sessions.py:Session.close", "Session.close"],
  ["sessions.py::Session::close", "Session.close"],
  ["flask.sessions.Session", "Session"],
  ["flask.sessions.Session.close()", "Session.close"],
  ["src.flask.sessions.get_version", "get_version"],
  ["com.shop.Cart", "Cart"],
  ["com.shop.Cart#add", "Cart.add"],
  ["\\shop\\Cart::add", "Cart.add"],
  ["src/flask/sessions.py#Session.close", "Session.close"],
  ["src/flask/sessions.py#Session.close:3", "Session.close"],
  ["Session.close/1", "Session.close"],
  ["sessions.py:close/1", "Session.close"],
  ["gitignore::tests::ig1", "tests.ig1"],
  ["(*Session).close", "Session.close"],
  ["src/flask/sessions.py:(*Session).close()", "Session.close"],
  ["sessions.(*Session).close", "Session.close"],
  ["(Session).close", "Session.close"],
  ["operator()", "Buffer.operator()"],
  ["Buffer::operator()", "Buffer.operator()"],
])("a missing symbol: %s", (name, symbol) => expect(found({ missing_symbols: [name] })).toEqual([symbol]));

test.each([
  ["tests/test_sessions.py::test_open", "test_open"],
  ["test_sessions.py::TestClose::test_twice[utc-1]", "TestClose.test_twice"],
  ["tests.test_sessions.TestClose.test_twice", "TestClose.test_twice"],
  ["tests/test_sessions.py > TestClose > test_twice", "TestClose.test_twice"],
  ["TestClose › test_twice", "TestClose.test_twice"],
  ["TestAdd/empty_cart", "TestAdd"],
])("a missing test: %s", (name, symbol) => expect(found({ missing_tests: [name] })).toEqual([symbol]));

test.each([
  ["get_version", "untested"],
  ["src/flask/other.py", "untested"],
  ["nowhere", "unknown"],
])("a missing test of %s, which no test names, is %s", (name, why) =>
  expect(found({ missing_tests: [name] })).toEqual([why]),
);

test("what is in no such place is unknown, though something else has its name", () => {
  for (const name of [
    "Session.get_version",
    "other.Session.close",
    "os.path.close",
    "nope()",
    "sessions.py::nope",
    "()",
    "[]",
  ])
    expect([name, ...found({ missing_symbols: [name] })]).toEqual([name, "unknown"]);
});

/** A source whose tests are more or less likely, and another source with a test of its own. */
const tested = knowledgeOf({
  files: {
    ...Object.fromEntries(
      ["e", "d", "c", "b", "a", "f", "g", "poor"].map((name) => [`tests/test_${name}.py`, "x = 1\n"]),
    ),
    "tests/test_other.py": {
      text: "def test_other():\n  run('said once', \"said twice\", `said again`)\n",
      symbols: [{ name: "test_other", kind: "function", lines: [1, 2] }],
    },
    "src/other.py": {
      text: "def other():\n  'said once'\n",
      symbols: [
        { name: "other", kind: "function", lines: [1, 2] },
        { name: "test_other", kind: "function", lines: [2, 2] },
      ],
    },
    "src/poor.py": "x = 1\n",
    "src/cart.py": {
      text: "def cart():\n  pass\n",
      symbols: [{ name: "cart", kind: "function", lines: [1, 2] }],
    },
  },
});
const idOf = (path: string): number => tested.idsOf([path]).get(path) ?? 0;
const LIKELIEST = ["f", "a", "b", "c", "g", "d", "e"];
const LINKS = [
  ...["g", "f", "e", "d", "c", "b", "a"].map((name) => ({
    test: idOf(`tests/test_${name}.py`),
    source: idOf("src/cart.py"),
    // Of two links that score alike, the path decides.
    by: "name",
    score: 1 - Math.floor((LIKELIEST.indexOf(name) + 1) / 2) / 10,
  })),
  { test: idOf("tests/test_poor.py"), source: idOf("src/poor.py"), by: "name", score: 0.1 },
  { test: idOf("tests/test_other.py"), source: idOf("src/other.py"), by: "name", score: 1 },
];

/** The paths that a missing test leads to. */
function testsFound(name: string): readonly string[] {
  const kb = { ...tested, testedBy: () => LINKS };
  const { anchors } = refineTargets(mergeConstraints(NO_CONSTRAINTS, { missing_tests: [name] }), kb, kb.files());
  const pathOf = new Map(kb.files().map(({ id, path }) => [id, path]));
  return anchors.flatMap(({ files }) => files).map((id) => pathOf.get(id) ?? "");
}

test.each(["src/cart.py", "cart.py", "src\\cart.py", "cart"])("of the tests of %s the likeliest are taken", (name) => {
  const paths = testsFound(name);
  expect(paths.length).toBeGreaterThan(2);
  expect(paths.length).toBeLessThan(LIKELIEST.length);
  expect(paths).toEqual(LIKELIEST.map((one) => `tests/test_${one}.py`).slice(0, paths.length));
});

test("a source has only its own tests, and a poor link is none", () => {
  expect(testsFound("other.py")).toEqual(["tests/test_other.py"]);
  expect(testsFound("src/poor.py")).toEqual([]);
});

test("a name or a title is that of a test, though a source has it too", () => {
  for (const name of ["test_other", "said once", "said twice", "said again"])
    expect([name, ...testsFound(name)]).toEqual([name, "tests/test_other.py"]);
});

test.each<[RefinementRequest, string | undefined]>([
  [{ accepted_files: ["src/flask/sesions.py"] }, "src/flask/sessions.py"],
  [{ missing_files: ["sesions.py"] }, "src/flask/sessions.py"],
  [{ rejected_files: ["src/flask/nothing.py"] }, undefined],
  [{ as_body: ["src/flask/sessions.py:get_verson"] }, "src/flask/sessions.py:get_version"],
  [{ as_signature: ["src/flask/sessions.py:clos"] }, "src/flask/sessions.py:Session.close"],
  [{ left_out: ["src/flask/sesions.py:Session"] }, "src/flask/sessions.py:Session"],
  [{ left_out: ["src/flask/sessions.py:render_page"] }, undefined],
  [{ missing_symbols: ["get_verson"] }, undefined],
])("a notice says what %j may mean", (request, expected) => {
  const { notices } = refineTargets(mergeConstraints(NO_CONSTRAINTS, request), kb, kb.files());
  expect(notices.map((notice) => (notice.code === "refinement-unknown" ? notice.near : notice.code))).toEqual([
    expected,
  ]);
});

test("of many unknown names, only the first are compared with all files", () => {
  const missing_files = Array.from({ length: 40 }, () => "sesions.py").map((name, at) => `${"../".repeat(at)}${name}`);
  const { notices } = refineTargets(mergeConstraints(NO_CONSTRAINTS, { missing_files }), kb, kb.files());
  const near = notices.filter((notice) => notice.code === "refinement-unknown" && notice.near !== undefined);
  expect([notices.length, near.length]).toEqual([40, 5]);
});
