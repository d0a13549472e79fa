/** The lines that a stack trace names are in the package at a small budget, in traces of several languages. */
import { expect, test } from "bun:test";
import { indexed } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";

const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

/** A function that does not fit into a small budget, between its first and its last line. The middle line is what fails. */
const long = (first: string, indent: string, step: (at: number) => string, failing: string, last: string): string =>
  [
    first,
    numbered(70, (at) => indent + step(at)),
    indent + failing,
    numbered(70, (at) => indent + step(at)),
    last,
  ].join("\n");

/** What would fill the package instead: short functions whose names and words are those of the messages. */
const distractions = (one: (at: number) => string): string => numbered(40, one);

const FILES = {
  "go.mod": "module example.com/shop\n\ngo 1.22\n",
  "router/tree.go": `package router

${long("func (n *node) lookup(path string) string {", "\t", (at) => `step${at} := walk(path, ${at})`, "return n.children[len(path)].name // go fails", "}")}
`,
  "router/panics.go": `package router

${distractions((at) => `// indexRange${at} checks an index out of range.\nfunc indexRange${at}(index, length int) bool {\n\treturn index < length+${at}\n}\n`)}
`,
  "router/tree_test.go": `package router

${long("func TestLookup(t *testing.T) {", "\t", (at) => `assert.Equal(t, ${at}, walk("/", ${at}))`, 'require.NoError(t, serve("/users")) // go test fails', "}")}
`,
  "shop/cart.py": `${long("def total_of(items):", "    ", (at) => `step_${at} = len(items) + ${at}`, "return items[0].price.amount  # python fails", "")}
${distractions((at) => `def attribute_of_none_${at}(object):\n    """Has no attribute."""\n    return object or ${at}\n\n`)}
`,
  "shop/start.py": `${numbered(60, (at) => `STEP_${at} = ${at}`)}
begin(int("none"))  # module fails
${numbered(60, (at) => `LATER_${at} = ${at}`)}

${distractions((at) => `def invalid_literal_${at}(base):\n    return int("10", base) + ${at}\n\n`)}
`,
  "web/view.js": `${long("export function renderView(rows) {", "  ", (at) => `const step${at} = rows.length + ${at};`, "return rows.first.name.trim(); // node fails", "}")}
${distractions((at) => `export function readProperties${at}(undefinedName) {\n  return undefinedName ?? ${at};\n}\n`)}
`,
  "src/main/java/com/shop/Orders.java": `package com.shop;

public class Orders {
${long("    public String ship(Order order) {", "        ", (at) => `int step${at} = order.size() + ${at};`, "return order.address().street(); // java fails", "    }")}
${distractions((at) => `    public boolean isNull${at}(Object pointer) {\n        return pointer == null;\n    }\n`)}
}
`,
  "crates/store/src/ledger.rs": `${long("pub fn settle(rows: &[u32]) -> u32 {", "    ", (at) => `let step${at} = rows.len() + ${at};`, "rows[rows.len()] // rust fails", "}")}
${distractions((at) => `pub fn index_out_of_bounds_${at}(index: usize, len: usize) -> bool {\n    index > len + ${at}\n}\n`)}
`,
  "lib/shop/stock.rb": `class Stock
${long("  def reserve(names)", "    ", (at) => `step_${at} = names.size + ${at}`, "names.first.fetch(:count) # ruby fails", "  end")}
${distractions((at) => `  def undefined_method_${at}(nil_class)\n    nil_class || ${at}\n  end\n`)}
end
`,
};

const shop = shared(await indexed(FILES));

const lineOf = (path: keyof typeof FILES, text: string): number =>
  FILES[path].split("\n").findIndex((line) => line.includes(text)) + 1;

const TRACES: readonly (readonly [failing: string, signature: string, trace: string])[] = [
  [
    "go fails",
    "func (n *node) lookup(",
    `panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
example.com/shop/router.(*node).lookup(0xc000, {0x4b, 0x9})
	/home/ada/shop/router/tree.go:${lineOf("router/tree.go", "go fails")} +0x9c5`,
  ],
  [
    "go test fails",
    "func TestLookup(",
    `--- FAIL: TestLookup (0.00s)
    tree_test.go:${lineOf("router/tree_test.go", "go test fails")}:
        	Error Trace:	/home/ada/shop/router/tree_test.go:${lineOf("router/tree_test.go", "go test fails")}
        	Error:      	Received unexpected error: index out of range
FAIL`,
  ],
  [
    "python fails",
    "def total_of(",
    `Traceback (most recent call last):
  File "/home/ada/shop/shop/cart.py", line ${lineOf("shop/cart.py", "python fails")}, in total_of
    return items[0].price.amount
AttributeError: 'NoneType' object has no attribute 'amount'`,
  ],
  [
    "module fails",
    "STEP_59 =",
    `Traceback (most recent call last):
  File "/home/ada/shop/shop/start.py", line ${lineOf("shop/start.py", "module fails")}, in <module>
    begin(int("none"))
ValueError: invalid literal for int() with base 10: 'none'`,
  ],
  [
    "node fails",
    "export function renderView(",
    `TypeError: Cannot read properties of undefined (reading 'name')
    at renderView (/home/ada/shop/web/view.js:${lineOf("web/view.js", "node fails")}:21)
    at Module._compile (node:internal/modules/cjs/loader:1364:14)`,
  ],
  [
    "java fails",
    "public String ship(",
    `java.lang.NullPointerException: Cannot invoke "Address.street()" because it is null
	at com.shop.Orders.ship(Orders.java:${lineOf("src/main/java/com/shop/Orders.java", "java fails")})
	at java.base/java.lang.Thread.run(Thread.java:833)`,
  ],
  [
    "rust fails",
    "pub fn settle(",
    `thread 'main' panicked at crates/store/src/ledger.rs:${lineOf("crates/store/src/ledger.rs", "rust fails")}:5:
index out of bounds: the len is 3 but the index is 3
stack backtrace:
   3: store::ledger::settle
             at ./crates/store/src/ledger.rs:${lineOf("crates/store/src/ledger.rs", "rust fails")}:5`,
  ],
  [
    "ruby fails",
    "def reserve(",
    `lib/shop/stock.rb:${lineOf("lib/shop/stock.rb", "ruby fails")}:in 'reserve': undefined method 'fetch' for nil (NoMethodError)`,
  ],
];

test.each(TRACES)("%s: the line and the function it is in", async (failing, signature, trace) => {
  const { markdown } = await shop.run(trace, { budget: 1_500 });
  const code = markdown.slice(markdown.indexOf("## Primary Context"));
  expect(code).toContain(failing);
  expect(code).toContain(signature);
});

test("a task in words with a trace in it shows the line too, and the budget holds", async () => {
  const task = `Orders cannot be shipped when the address is null\n\nThe pointer is null:\n\n${TRACES.find(([failing]) => failing === "java fails")?.[2]}`;
  for (const budget of [900, 1_500, 4_000]) {
    const { markdown, pkg } = await shop.run(task, { budget });
    expect(markdown).toContain("// java fails");
    expect(pkg.token_count).toBeLessThanOrEqual(budget);
  }
});

test("a line that lies outside the function that the frame names is that of another version", async () => {
  const { markdown } = await shop.run(
    `Traceback (most recent call last):
  File "/home/ada/shop/shop/start.py", line 70, in invalid_literal_3
ValueError: invalid literal`,
    { budget: 1_500 },
  );
  expect(markdown).toContain("def invalid_literal_3(");
  expect(markdown).not.toContain("LATER_8 = 8");
});
