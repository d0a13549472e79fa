import { describe, expect, test } from "bun:test";
import { findMentions } from "../../src/task/mentions.ts";
import { TASK_LIMITS } from "../../src/task/query.ts";
import { splitSections } from "../../src/task/sections/sections.ts";

type Expected = { readonly files?: readonly string[]; readonly symbols?: readonly string[] };

const check = (text: string, { files = [], symbols = [] }: Expected) =>
  test(text, () => {
    const found = findMentions(splitSections(text).sections);
    expect({ files: found.files.map((hint) => hint.text), symbols: found.symbols.map((hint) => hint.text) }).toEqual({
      files: [...files],
      symbols: [...symbols],
    });
  });

describe("files", () => {
  check("fix auth.py, index.ts and main.go.", { files: ["auth.py", "index.ts", "main.go"] });
  check("see src/foo/bar.py and (components/Auth.tsx), 'a/b.rs'", {
    files: ["src/foo/bar.py", "components/Auth.tsx", "a/b.rs"],
  });
  check("in src\\auth\\login.py and C:\\proj\\a.ts", { files: ["src\\auth\\login.py", "C:\\proj\\a.ts"] });
  check("at file:///C:/proj/b.mjs:3:4 and file:///srv/c.mjs", { files: ["C:/proj/b.mjs", "/srv/c.mjs"] });
  check("all *.test.js, src/**/*.{ts,tsx} and tests/test_*.py files", {
    files: ["*.test.js", "src/**/*.{ts,tsx}", "tests/test_*.py"],
  });
  check("**src/a.py** and *b.ts* and [c.go](docs/c.md)", { files: ["src/a.py", "b.ts", "c.go", "docs/c.md"] });
  check("at src/a.py:42, src/b.ts:3:14 and src/c.rs#L10-L20", { files: ["src/a.py", "src/b.ts", "src/c.rs"] });
  check(
    "t\n```\ncart.ts(7): error\nCart.cs(12,3): error\n[ERROR] /ci/shop/Cart.java:[12,3] no\nlib/a.rb:1:in `b'\n```",
    {
      files: ["cart.ts", "Cart.cs", "/ci/shop/Cart.java", "lib/a.rb"],
    },
  );
  check("in src/auth, tests/unit/ and ./scripts", { files: ["./scripts", "src/auth", "tests/unit/"] });
  check("the Makefile, .gitignore, package.json and setup.cfg", {
    files: [".gitignore", "package.json", "setup.cfg", "Makefile"],
  });
  check("run tests/test_a.py::TestLogin::test_ok[x-1]", {
    files: ["tests/test_a.py"],
    symbols: ["TestLogin::test_ok"],
  });
  check("`src/a.ts:total`, src/b.ts:add() and lib/c.rb#flush loop", {
    files: ["src/a.ts", "src/b.ts", "lib/c.rb"],
    symbols: ["total", "add", "flush"],
  });
  check("see docs/setup.md#on-windows and config.yml:database, not vercel/next.js#123", {
    files: ["docs/setup.md", "config.yml"],
  });
  check("src/a.ts:L40-L52, src/b.ts:L7, src/c.ts:12–20, src/d.ts:12..20 and src/e.ts:3~9", {
    files: ["src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts", "src/e.ts"],
  });
  check("修复auth.py的登录", { files: ["auth.py"] });
  check("Express.js and Node.js in lib/express.js and `express.js`", { files: ["express.js", "lib/express.js"] });
  check("and/or, text/html, TCP/IP, he/she, 24/7, n/a, /api/users, application/json, 2020/10/12", {});
  check("e.g. this, i.e. that, v1.2.3, 3.14, etc. example.com, me@home.org, works.The end", {});
  check("in src/大赛.ts, docs/x/大赛上海.txt and 大赛.ts: 修复src/大赛.py的登录", {
    files: ["src/大赛.ts", "docs/x/大赛上海.txt", "大赛.ts", "src/大赛.py"],
  });
  check("[slug].ts, app/[id]/page.tsx, [[...all]].tsx and app/[id], not [c.go] or [d.go].", {
    files: ["[slug].ts", "app/[id]/page.tsx", "[[...all]].tsx", "c.go", "d.go", "app/[id]"],
  });
  check("fix it\n`app/(auth)/login/page.tsx` and `src/大/{x}/a.ts`, but `f(src/a.ts)` and `f(x)/2`", {
    files: ["app/(auth)/login/page.tsx", "src/大/{x}/a.ts", "src/a.ts"],
  });
  check("the LICENSE and COPYING", { files: ["LICENSE", "COPYING"] });
  check("a picture.png, out.log and an archive.zip", {});
  check("/* comment */ and 2*x/3 and *p and **kwargs", {});
});

describe("symbols", () => {
  check("rename handleLogin, HTTPServer, parse_url, _private_one, MAX_SIZE and __init__", {
    symbols: ["handleLogin", "HTTPServer", "parse_url", "_private_one", "MAX_SIZE", "__init__"],
  });
  check("GitHub, JavaScript, TypeScript, iOS, macOS, the APIs and URLs, an HTTP API", {});
  check("call close(), open(path) and validate(user), not the option(s), if (x), print(y) or that(z)", {
    symbols: ["close", "validate"],
  });
  check("`login` and `Session` but not `true`, `None`, `x` or `a b`", { symbols: ["login", "Session"] });
  check("`get(key)` but not get(key)", { symbols: ["get"] });
  check("self.session.close() and this.cache.get(key) and this.items", {
    symbols: ["session.close", "cache.get", "items"],
  });
  check("a method: User::find(id), Foo#bar, `Vec::new`", {
    files: ["Vec::new"],
    symbols: ["Vec::new", "User::find", "Foo#bar"],
  });
  check("the Session class, interface Cart, a Python class and The trait", { symbols: ["Session", "Cart"] });
  check("res.json() and request.json", { symbols: ["res.json", "request.json"], files: ["request.json"] });
  check("ask @octo_cat about @app.route", { files: ["app.route"], symbols: ["app.route"] });
  check("_No response_ and __Important__ and _really_", {});
  check(`[image](x) and f(x) and $${"{userName}"}`, { symbols: ["userName"] });
  check("___ test_total ___ and ____________", { symbols: ["test_total"] });
  check("__proto__ constructor toString", { symbols: ["__proto__", "toString"] });
});

describe("names that may be either", () => {
  check("flask.app.Flask and Module.path", {
    files: ["flask.app.Flask", "Module.path"],
    symbols: ["flask.app.Flask", "Module.path"],
  });
  check("np.linalg.norm(x) and app.run(y) and Code.TIMEOUT", {
    files: ["np.linalg.norm"],
    symbols: ["np.linalg.norm", "app.run", "Code.TIMEOUT"],
  });
  check("Shop.Cart.add/2, add_item!/1 and `total/1`, but not HTTP/2, and/1 or `HTTP/2` and page/2.", {
    files: ["Shop.Cart.add"],
    symbols: ["total", "Shop.Cart.add", "add_item"],
  });
  check("org.shop.Cart#addItem", { files: ["org.shop.Cart"], symbols: ["org.shop.Cart#addItem"] });
  check("raise ValueError, TypeError or java.io.IOException, not MyError", { symbols: ["MyError"] });
});

describe("in code", () => {
  check("t\n```\nfrom flask.app import Flask, request as req\nimport numpy as np\n```", {
    files: ["flask.app"],
    symbols: ["flask.app", "Flask", "request", "req"],
  });
  check("t\n```\nimport React, { type Node, useMemo } from './lib/react'\nconsole.log(Math.max(a, b))\n```", {
    files: ["./lib/react"],
    symbols: ["useMemo", "React", "Node"],
  });
});

describe("in prose", () => {
  check("t\nfrom carts import orders, or import orders from carts", {});
});

describe("names in namespaces of PHP", () => {
  check("call `App\\Http\\Kernel::handle` or \\Carbon\\Carbon::parse('x') of Shop\\Cart\\add()", {
    files: ["App\\Http\\Kernel::handle", "Carbon\\Carbon::parse", "Shop\\Cart\\add"],
    symbols: ["App\\Http\\Kernel::handle", "Carbon\\Carbon::parse", "Shop\\Cart\\add"],
  });
  check("in src\\util\\str, C:\\Users\\Me\\Shop and Error\\nDetails", {});
});

describe("sections", () => {
  const mentions = (text: string) => findMentions(splitSections(text).sections);
  test("a name has the heaviest section that contains it", () => {
    const { symbols } = mentions(
      "Fix close_all\n\nuse `openAll` and readAll, not close_all\n```\nopenAll(1)\nskipAll(2)\n```",
    );
    expect(symbols).toEqual([
      { text: "close_all", section: "title", codeLike: true },
      { text: "openAll", section: "inline", codeLike: true },
      { text: "readAll", section: "prose", codeLike: true },
      { text: "skipAll", section: "code", codeLike: true },
    ]);
  });
  test("also if that section comes later", () => {
    expect(mentions("t\n```\nskipAll(2)\nopenAll(1)\n```\nso skipAll is wrong").symbols).toEqual([
      { text: "skipAll", section: "prose", codeLike: true },
      { text: "openAll", section: "code", codeLike: true },
    ]);
  });
  test("a name counts as code if it is written so anywhere", () => {
    expect(mentions("The Session class\n`Session` leaks").symbols).toEqual([
      { text: "Session", section: "title", codeLike: true },
    ]);
  });
  test("so does a name next to a noun for symbols", () => {
    expect(mentions("class Scaffold: cleanup").symbols).toEqual([
      { text: "Scaffold", section: "title", codeLike: true },
    ]);
  });
  test("noise names files but no symbols", () => {
    expect(mentions("t\n- [x] I read docs/guide.md and ran doIt()")).toEqual({
      files: [{ text: "docs/guide.md", section: "noise", codeLike: true }],
      symbols: [],
    });
  });
  test("the lists are bounded, and the title's names stay", () => {
    const many = Array.from({ length: 2000 }, (_, at) => `src/f${at}.ts fooBar${at}`).join(" ");
    const { files, symbols } = mentions(`Fix lastFile in last.ts\n${many}`);
    expect(files).toHaveLength(TASK_LIMITS.fileHintsMax);
    expect(symbols).toHaveLength(TASK_LIMITS.symbolHintsMax);
    expect(files[0]?.text).toBe("last.ts");
    expect(symbols[0]?.text).toBe("lastFile");
  });
  test("of too many, those written as code stay", () => {
    const classes = Array.from({ length: TASK_LIMITS.symbolHintsMax }, (_, at) => `import thing${at}`).join("\n");
    const modules = Array.from({ length: TASK_LIMITS.fileHintsMax }, (_, at) => `word.other${at}`).join(" ");
    const { files } = mentions(`t\n${modules}\n\`\`\`\n${classes}\nopen("src/last.ts")\n\`\`\``);
    expect(files).toHaveLength(TASK_LIMITS.fileHintsMax);
    expect(files.map(({ text }) => text)).toContain("src/last.ts");
  });
});
