/** Files of one package use each other without importing, so a map counts references too. */
import { expect, test } from "bun:test";
import { indexed } from "../../support/indexed.ts";

const handlers = Object.fromEntries(
  ["carts", "orders", "users"].map((name) => [
    `${name}.go`,
    `package web\n\nimport "example.com/web/text"\n\nfunc ${name}(c *Context) {\n\tc.Send(text.Upper("${name}"))\n}\n`,
  ]),
);
const FILES = {
  "go.mod": "module example.com/web\n\ngo 1.22\n",
  "context.go":
    'package web\n\nimport "example.com/web/text"\n\n// Context is one request.\ntype Context struct{ router *Router }\n\nfunc (c *Context) Send(body string) {\n\tc.router.Write(text.Upper(body))\n}\n',
  "router.go":
    "package web\n\n// Router finds handlers.\ntype Router struct{ routes map[string]func(*Context) }\n\nfunc (r *Router) Write(body string) {\n\tprintln(body)\n}\n",
  "text/text.go": "package text\n\nfunc Upper(text string) string {\n\treturn text\n}\n",
  ...handlers,
};

test("the type that a package is about is central, though no file imports it", async () => {
  using repo = await indexed(FILES);
  const { pkg } = await repo.run("clean up");
  expect(pkg.files.map(({ path }) => path).slice(0, 3)).toEqual(["context.go", "text/text.go", "router.go"]);
});

test("every file of the map shows something: none takes the tokens of those behind it", async () => {
  const names = ["basket", "coupon", "invoice", "order", "parcel", "price", "refund", "stock", "tax", "voucher"];
  const functions = (name: string): string =>
    ["add", "drop", "find", "list", "send", "sum"].map((verb) => `def ${verb}_${name}():\n    pass\n`).join("\n\n");
  using repo = await indexed({
    "main.py": `${names.map((name) => `import ${name}`).join("\n")}\n\n\ndef main():\n    pass\n`,
    ...Object.fromEntries(names.map((name) => [`${name}.py`, functions(name)])),
  });
  const { pkg } = await repo.run("clean up");
  expect(pkg.files.map(({ path }) => path).sort()).toEqual(["main.py", ...names.map((name) => `${name}.py`)].sort());
});
