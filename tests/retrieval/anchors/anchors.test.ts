import { expect, test } from "bun:test";
import fc from "fast-check";
import { findAnchors } from "../../../src/retrieval/anchors/anchors.ts";
import { namePartsOf } from "../../../src/retrieval/anchors/qualified-names.ts";
import { verbatimPathAnchors } from "../../../src/retrieval/anchors/verbatim-paths.ts";
import type { Anchor, AnchorKind } from "../../../src/retrieval/model/anchor.ts";
import { analyzeTask } from "../../../src/task/analyze.ts";
import type { Mention, SectionKind, TaskQuery } from "../../../src/task/query.ts";
import { type Fixture, knowledgeOf } from "../../support/knowledge.ts";
import { taskOf } from "../../support/task.ts";

const FIXTURE: Fixture = {
  files: {
    "README.md": "",
    "src/auth/handler.py": {
      text: "class Auth:\n  def login(self):\n    pass\ndef session():\n  return 1",
      symbols: [
        { name: "Auth", kind: "class", lines: [1, 3] },
        { name: "login", kind: "method", lines: [2, 3], parent: 0 },
        { name: "session", kind: "function", lines: [4, 5] },
      ],
    },
    "src/auth/__init__.py": "",
    "src/web/handler.py": {
      text: "def login():\n  pass",
      symbols: [{ name: "login", kind: "function", lines: [1, 2] }],
    },
    "src/web/rate-limit.ts": { text: "x", symbols: [{ name: "name", kind: "property", lines: [1, 1] }] },
    "tests/web/rate-limit.test.ts": "",
  },
};

/** Anchors as text: kind, text, paths by their end, value. */
function find(task: TaskQuery, kinds?: readonly AnchorKind[]): readonly string[] {
  const kb = knowledgeOf(FIXTURE);
  const files = kb.files();
  const pathOf = new Map(files.map(({ id, path }) => [id, path]));
  const say = ({ kind, text, files: ids, value }: Anchor): string =>
    `${kind} ${text}: ${ids.map((id) => pathOf.get(id)).join(" ")} ×${Math.round(value * 100) / 100}`;
  return findAnchors(task, kb, files)
    .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
    .map(say);
}

const mention = (text: string, section: SectionKind = "prose"): Mention => ({ text, section, codeLike: false });
const withPath = (text: string): TaskQuery => taskOf([], { fileHints: [mention(text)] });

test.each([
  ["src/auth/handler.py", ["path src/auth/handler.py: src/auth/handler.py ×1"]],
  ["./auth/handler.py", ["path ./auth/handler.py: src/auth/handler.py ×1"]],
  ["auth\\handler.py", ["path auth\\handler.py: src/auth/handler.py ×1"]],
  ["/home/me/checkout/src/web/handler.py:12", ["path /home/me/checkout/src/web/handler.py:12: src/web/handler.py ×1"]],
  ["handler.py", ["path handler.py: src/auth/handler.py src/web/handler.py ×0.5"]],
  ["src/auth", ["path src/auth: src/auth/__init__.py ×0.7"]],
  ["web/rate-limit", ["path web/rate-limit: src/web/rate-limit.ts tests/web/rate-limit.test.ts ×0.7"]],
  ["*.test.ts", ["path *.test.ts: tests/web/rate-limit.test.ts ×1"]],
  ["src/**/handler.py", ["path src/**/handler.py: src/auth/handler.py src/web/handler.py ×1"]],
  ["src/auth/handler.py#L4-L5", ["path src/auth/handler.py#L4-L5: src/auth/handler.py ×1"]],
  ["other/place/handler.py", []],
  // another folder's file of that name is not meant, an installed or checked out one is
  ["src/api/auth/handler.py", []],
  ["other/src/auth/handler.py", ["path other/src/auth/handler.py: src/auth/handler.py ×1"]],
  ["other/place/src/auth/handler.py", []],
  // as agents take mentions, and aliases of bundlers
  ["@src/auth/handler.py", ["path @src/auth/handler.py: src/auth/handler.py ×1"]],
  ["@/web/rate-limit.ts", ["path @/web/rate-limit.ts: src/web/rate-limit.ts ×1"]],
  ["@/web/rate-limit", ["path @/web/rate-limit: src/web/rate-limit.ts tests/web/rate-limit.test.ts ×0.7"]],
  ["$web/rate-limit.ts", ["path $web/rate-limit.ts: src/web/rate-limit.ts ×1"]],
  ["@auth/web/rate-limit.ts", []],
  ["@web/rate-limit", []],
  // a side of a diff
  ["b/README.md", ["path b/README.md: README.md ×1"]],
  ["a/handler.py", []],
  ["C:\\work\\auth\\handler.py", ["path C:\\work\\auth\\handler.py: src/auth/handler.py ×1"]],
  ["venv/site-packages/auth/handler.py", ["path venv/site-packages/auth/handler.py: src/auth/handler.py ×1"]],
  ["venv/site-packages/api/auth/handler.py", []],
  ["x/node_modules/@a/b/web/rate-limit.ts", ["path x/node_modules/@a/b/web/rate-limit.ts: src/web/rate-limit.ts ×1"]],
  ["@README.md", ["path @README.md: README.md ×0.5"]],
  ["@auth/handler", []],
  ["nothing.py", []],
])("the path %s", (text, expected) => {
  expect(find(withPath(text), ["path"])).toEqual(expected);
});

test("of files with the same name, a short task means those that define what it names", () => {
  const naming = (name: string, more: readonly (readonly [SectionKind, string])[] = []): readonly string[] => {
    const hints = { fileHints: [mention("handler.py", "title")], symbolHints: [] };
    return find(taskOf([["title", `fix ${name}() in handler.py`], ...more], hints), ["path"]);
  };
  expect(naming("session")).toEqual(["path handler.py: src/auth/handler.py ×0.5"]);
  const both = ["path handler.py: src/auth/handler.py src/web/handler.py ×0.5"];
  expect([naming("login"), naming("nothing")]).toEqual([both, both]);
  expect(naming("session", [["prose", "It ends early. Sometimes."]])).toEqual(both);
});

test("in a short task, a plain word before the file that defines it is a name", () => {
  const naming = (title: string, file = "auth/handler.py", more: readonly (readonly [SectionKind, string])[] = []) => {
    const hints = { fileHints: [mention(file, "title")], title };
    const kb = knowledgeOf(FIXTURE);
    return findAnchors(taskOf([["title", title], ...more], hints), kb, kb.files())
      .filter(({ kind, codeLike }) => kind === "definition" && codeLike)
      .map(({ text, files }) => `${text} ${files.length}`);
  };
  expect(naming("fix login in auth/handler.py")).toEqual(["login 1"]);
  expect(naming("make the login method of auth/handler.py faster")).toEqual(["login 1"]);
  expect(naming("fix session in handler.py", "handler.py")).toEqual(["session 1"]);
  for (const title of ["fix login for auth/handler.py", "fix auth/handler.py: login", "fix session in web/handler.py"])
    expect(naming(title, title.includes("web") ? "web/handler.py" : undefined)).toEqual([]);
  // two definitions, a verb, and a report
  expect(naming("fix login in handler.py", "handler.py")).toEqual([]);
  expect(naming("fix login in auth/handler.py", undefined, [["prose", "It ends early. Sometimes."]])).toEqual([]);
});

test("a capitalised name without ending is the one file at the root of that name", () => {
  const atRoot = (text: string, files: readonly string[], kind: SectionKind = "title"): readonly string[] => {
    const kb = knowledgeOf({ files: Object.fromEntries(files.map((path) => [path, ""])) });
    const task = taskOf([], { sections: [{ kind, text }] });
    return findAnchors(task, kb, kb.files()).map((anchor) => `${anchor.text}: ${anchor.files.length}`);
  };
  const files = [
    "CHANGES.rst",
    "LICENSE",
    "Makefile",
    "README.md",
    "README.zh.md",
    "Setup.py",
    "configure",
    "sub/NOTICE",
  ];
  expect(atRoot("typo in README", files)).toEqual(["README: 1"]);
  expect(atRoot("Makefile and LICENSE, as CHANGES says.", files)).toEqual(["Makefile: 1", "LICENSE: 1", "CHANGES: 1"]);
  // Other words, other places, and parts of other names.
  expect(atRoot("Setup: configure, license and readme of NOTICE; docs/README, README_OLD, README-2", files)).toEqual(
    [],
  );
  expect(atRoot("I read the README", files, "prose")).toEqual([]);
  expect(atRoot("typo in README", ["README.md", "README.rst"])).toEqual([]);
});

test("a dotted name is a module up to the part that is a file", () => {
  expect(find(withPath("auth.handler.Auth.login"), ["module"])).toEqual([
    "module auth.handler.Auth.login: src/auth/handler.py ×1",
  ]);
  expect(find(withPath("src::auth"), ["module"])).toEqual(["module src::auth: src/auth/__init__.py ×1"]);
  expect(find(withPath("numpy.linalg"), ["module"])).toEqual([]);
});

test("a link to a code host names the file at its end", () => {
  const forge = "https://github.com/a/b";
  const urls = [
    `${forge}/blob/main/src/web/handler.py#L10`,
    `${forge}/blob/fix/it/src/web/handler.py?plain=1`,
    `${forge}/blob/main/src/api/web/handler.py`,
    `${forge}/issues/3`,
  ];
  expect(find(taskOf([], { urls }), ["url"])).toEqual(
    urls.slice(0, 2).map((url) => `url ${url}: src/web/handler.py ×1`),
  );
});

test("so does one to its bare text, and one whose path is encoded", () => {
  const kb = knowledgeOf({ files: { "app/[id]/my page.ts": "", "src/a.ts": "" } });
  const named = (url: string) => findAnchors(taskOf([], { urls: [url] }), kb, kb.files()).length;
  const raw = "https://raw.githubusercontent.com/a/b";
  for (const url of [
    `${raw}/main/src/a.ts`,
    `${raw}/refs/heads/main/src/a.ts`,
    "https://bitbucket.org/a/b/src/1f2e3d/src/a.ts#lines-3",
    "https://github.com/a/b/blob/main/app/%5Bid%5D/my%20page.ts",
  ])
    expect([url, named(url)]).toEqual([url, 1]);
  expect(named("https://github.com/a/b/blob/main/app/%zz.ts")).toBe(0);
});

test("frames count from the deepest one in the repository", () => {
  const frame = (path: string, line: number, name: string | null, language: "python" | "node" = "python") => ({
    language,
    path,
    line,
    function: name,
  });
  const kb = knowledgeOf(FIXTURE);
  const frames = [
    frame("/x/src/web/handler.py", 2, "login"),
    frame("/x/src/auth/handler.py", 5, null),
    frame("/usr/lib/python3/json/decoder.py", 1, "decode"),
  ];
  const anchors = findAnchors(taskOf([], { frames }), kb, kb.files()).filter(({ kind }) => kind === "trace");
  expect(anchors.map(({ text, value }) => [text, value])).toEqual([
    ["/x/src/auth/handler.py:5", 1],
    ["/x/src/web/handler.py:2", 0.5],
  ]);
  expect(kb.symbolsById(anchors.flatMap(({ symbols }) => symbols)).map(({ qualifiedName }) => qualifiedName)).toEqual([
    "session",
    "login",
  ]);
  const node = [frame("src/web/handler.py", 1, "login", "node"), frame("src/auth/handler.py", 1, null, "node")];
  expect(find(taskOf([], { frames: node }), ["trace"])).toEqual([
    "trace src/web/handler.py:1: src/web/handler.py ×1",
    "trace src/auth/handler.py:1: src/auth/handler.py ×0.5",
  ]);
});

test("a frame in a function that the file does not define is in the one at its line", () => {
  const kb = knowledgeOf(FIXTURE);
  const named = (name: string): readonly string[] => {
    const frames = [{ language: "other", path: "src/auth/handler.py", line: 2, function: name } as const];
    const anchors = findAnchors(taskOf([], { frames }), kb, kb.files());
    return kb.symbolsById(anchors.flatMap(({ symbols }) => symbols)).map(({ qualifiedName }) => qualifiedName);
  };
  expect([named("invokeSuspend"), named("session")]).toEqual([["Auth.login"], ["session"]]);
});

test("a frame of an installed package or of a language's own library is in no file that is only called like it", () => {
  const own = [
    "src/_pytest/pathlib.py",
    "src/base.py",
    "src/layer.js",
    "lib/util/io.js",
    "gin.go",
    "src/json/decoder.py",
  ];
  const kb = knowledgeOf({ files: Object.fromEntries(own.map((path) => [path, ""])) });
  const placed = (path: string): readonly string[] => {
    const frames = [{ language: "other", path, line: 1, function: null } as const];
    return findAnchors(taskOf([], { frames }), kb, kb.files()).flatMap(({ files }) =>
      files.flatMap((id) => own.filter((one) => kb.files().find((file) => file.id === id)?.path === one)),
    );
  };
  for (const path of [
    "C:/Python38/lib/pathlib.py",
    "/usr/local/lib/python3.8/pathlib.py",
    "/home/me/.venv/lib/python3.11/site-packages/django/core/handlers/base.py",
    "/app/node_modules/express/lib/router/layer.js",
    "/app/node_modules/.pnpm/x@1.0.0/node_modules/@a/x/dist/io.js",
    "/usr/lib/ruby/gems/3.1.0/gems/rack-2.2/lib/base.py",
    "/root/.cargo/registry/src/index.crates.io-6f17d22bba15001f/x-1.0.0/src/io/base.py",
    "/rustc/90c541806f23a127002de5b4038be731ba1458ca/library/std/src/base.py",
    "/var/www/vendor/laravel/framework/src/Illuminate/base.py",
    "/usr/local/go/src/net/http/gin.go",
    "/go/pkg/mod/github.com/other/lib@v1.2.3/web/gin.go",
    "/go/src/shop/vendor/github.com/other/lib/web/gin.go",
  ])
    expect([path, placed(path)]).toEqual([path, []]);
  // The repository's own package, installed or copied, and a package that is kept in it.
  expect(placed("/usr/lib/python3/dist-packages/_pytest/pathlib.py")).toEqual(["src/_pytest/pathlib.py"]);
  expect(placed("/usr/lib/python3.8/json/decoder.py")).toEqual(["src/json/decoder.py"]);
  expect(placed("/app/node_modules/own/lib/util/io.js")).toEqual(["lib/util/io.js"]);
  expect(placed("/go/pkg/mod/github.com/gin-gonic/gin@v1.10.0/gin.go")).toEqual(["gin.go"]);
  expect(placed("/go/src/shop/vendor/github.com/gin-gonic/gin/gin.go")).toEqual(["gin.go"]);
  expect(placed("/home/me/go/src/github.com/gin-gonic/gin/gin.go")).toEqual(["gin.go"]);
  expect(placed("/app/layer.js")).toEqual(["src/layer.js"]);
});

test("a frame in a file of the same name in another folder does not match", () => {
  const frames = [{ language: "python", path: "src/api/auth/handler.py", line: 5, function: null } as const];
  expect(find(taskOf([], { frames }), ["trace"])).toEqual([]);
});

test("paths that splitting into words cannot find are found verbatim", () => {
  const odd = ["a b/my file.py", "x=1/y.ts", "app/(auth)/page.tsx", "src/大赛.ts", "大赛.md", "[slug].ts", "it's/x.py"];
  const kb = knowledgeOf({ files: Object.fromEntries([...odd, "src/plain.ts", "(x)"].map((path) => [path, ""])) });
  const files = kb.files();
  const verbatim = (text: string) =>
    verbatimPathAnchors(taskOf([["prose", text]]), files).map(
      ({ files: ids }) => files.find(({ id }) => id === ids[0])?.path,
    );
  for (const path of odd) {
    for (const text of [path, `fix ${path}.`, `"${path}"`, `in ./${path}:3`, `/home/me/${path}, so`])
      expect([text, verbatim(text)]).toEqual([text, [path]]);
    for (const text of [`${path}x`, `${path}.bak`, `other/${path}`, `a${path}`, path.slice(1)])
      expect([text, verbatim(text)]).toEqual([text, []]);
  }
  expect(verbatim("src/plain.ts and (x), a b\\my file.py, 修复src/大赛.ts的")).toEqual([
    "a b/my file.py",
    "src/大赛.ts",
  ]);
});

test("words in inline code may be a file's name", () => {
  expect(find(taskOf([["inline", "rate_limit"]]), ["stem"])).toEqual([
    "stem rate_limit: src/web/rate-limit.ts tests/web/rate-limit.test.ts ×1",
  ]);
  expect(find(taskOf([["prose", "rate_limit"]]), ["stem"])).toEqual([]);
});

test("names of definitions: code-like ones in full, plain words a little, fields not at all", () => {
  expect(find(taskOf([["inline", "login"]]), ["definition"])).toEqual([
    "definition login: src/auth/handler.py src/web/handler.py ×1",
  ]);
  expect(find(taskOf([["prose", "the login fails\ncall login()"]]), ["definition"])).toEqual([
    "definition login: src/auth/handler.py src/web/handler.py ×1.3",
  ]);
  expect(find(taskOf([["prose", "session"]]), ["definition"])).toEqual([
    "definition session: src/auth/handler.py ×0.3",
  ]);
  expect(find(taskOf([["inline", "name"]]), ["definition"])).toEqual([]);
  expect(find(taskOf([["noise", "login()"]]), ["definition"])).toEqual([]);
});

test("names that the analysis marks as code count in full in their section", () => {
  const session = { text: "session", section: "title", codeLike: true } as const;
  const task = taskOf(
    [
      ["title", "the `session` ends"],
      ["prose", "a session"],
    ],
    { symbolHints: [session] },
  );
  expect(find(task, ["definition"])).toEqual([
    "definition session: src/auth/handler.py ×1",
    "definition session: src/auth/handler.py ×0.3",
  ]);
});

test("the label of a diagnostic is no name", () => {
  const labels = ["error", "Error", "warning", "note", "fatal", "panic"];
  const text = labels.map((name) => `def ${name}():\n  pass`).join("\n");
  const symbols = labels.map((name, at) => ({ name, kind: "function", lines: [2 * at + 1, 2 * at + 2] }) as const);
  const kb = knowledgeOf({ files: { "src/report.py": { text, symbols } } });
  const named = (task: string): readonly string[] =>
    findAnchors(
      analyzeTask(task, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() }),
      kb,
      kb.files(),
    ).flatMap(({ kind, text }) => (kind === "definition" ? [text] : []));
  for (const line of [
    "src/cart.py:12: error: Incompatible return value type  [return-value]",
    "error[E0308]: mismatched types",
    "src/cart.ts(120,10): error TS2322: Type 'a' is not assignable to type 'b'.",
    "src/cart.c:3:5: fatal error: cart.h: No such file",
    "Error Trace: cart_test.go:12",
    "fatal: not a git repository",
    "panic: runtime error: index out of range",
    "Error: expected 303",
  ])
    expect([line, ...named(`${line}\n\n\`\`\`\nbuilding\n${line}\n\`\`\``)]).toEqual([line]);
  expect(named("t\n\nwarning: unused variable\nnote: expected a cart")).toEqual([]);
  expect(named("error: could not compile `shop` due to 1 previous error")).toEqual([]);
  expect(named("error: build failed\n\nFound 1 error in 1 file, and 1 warning\n1 fatal here")).toEqual(["fatal"]);
  expect(named("call error() and the warning of Error")).toEqual(["error", "warning", "Error"]);
  expect(named("t\n```\nreport.error: print\n```")).toEqual(["error"]);
});

test("of too many names, those written as code are looked up first", () => {
  const words = Array.from({ length: 6_000 }, (_, at) => `word${"abcdefghij".charAt(at % 10)}${at}`).join(" ");
  const task = taskOf([
    ["prose", words],
    ["inline", "login"],
  ]);
  expect(find(task, ["definition"])).toEqual(["definition login: src/auth/handler.py src/web/handler.py ×1"]);
});

test("a qualified name means the member of that class only", () => {
  expect(find(taskOf([], { symbolHints: [mention("Auth.login")] }), ["qualified"])).toEqual([
    "qualified Auth.login: src/auth/handler.py ×1",
  ]);
  expect(find(taskOf([], { symbolHints: [mention("Auth::session")] }), ["qualified"])).toEqual([]);
});

test("hints are listed even when they match nothing", () => {
  const hints = (paths: readonly string[], symbols: readonly string[]) =>
    find(taskOf([], { given: { paths, symbols, languages: [] } }), ["hint"]);
  expect(hints(["src/auth", "web/**", "handler.py", "nope.py", "auth/handler", "api/auth/handler.py"], [])).toEqual([
    "hint src/auth: src/auth/__init__.py src/auth/handler.py ×1",
    "hint web/**:  ×1",
    "hint handler.py: src/auth/handler.py src/web/handler.py ×1",
    "hint nope.py:  ×1",
    "hint auth/handler: src/auth/handler.py ×1",
    "hint api/auth/handler.py:  ×1",
  ]);
  expect(
    hints(
      [],
      [
        ...["Auth.login", "Auth::login()", "(*Auth).login", "login", "missing"],
        ...["src.auth.handler.Auth.login", "auth\\Auth::login", "web.handler.Auth.login"],
      ],
    ),
  ).toEqual([
    "hint Auth.login: src/auth/handler.py ×1",
    "hint Auth::login(): src/auth/handler.py ×1",
    "hint (*Auth).login: src/auth/handler.py ×1",
    "hint login: src/auth/handler.py src/web/handler.py ×1",
    "hint missing:  ×1",
    "hint src.auth.handler.Auth.login: src/auth/handler.py ×1",
    "hint auth\\Auth::login: src/auth/handler.py ×1",
    "hint web.handler.Auth.login:  ×1",
  ]);
});

test("files and symbols are in order of path whatever their ids", () => {
  const names = (idOf?: (index: number) => number) => {
    const kb = knowledgeOf(FIXTURE, idOf);
    const files = kb.files();
    const task = taskOf([["inline", "login"]], { given: { paths: [], symbols: ["login"], languages: [] } });
    const pathOf = new Map(files.map(({ id, path }) => [id, path]));
    return findAnchors(task, kb, files).map((anchor) => ({
      kind: anchor.kind,
      files: anchor.files.map((id) => pathOf.get(id)),
      symbols:
        kb.symbolsById(anchor.symbols).length === anchor.symbols.length &&
        anchor.symbols.map((id) => pathOf.get(Math.floor(id / 10_000))),
    }));
  };
  expect(names((index) => 50 - index)).toEqual(names());
});

test("a qualified name in a namespace means the member of its class", () => {
  const task = taskOf([["prose", "Shop\\Auth::login"]], { symbolHints: [mention("Shop\\Auth::login")] });
  expect(find(task, ["qualified"])).toEqual(["qualified Shop\\Auth::login: src/auth/handler.py ×1"]);
});

test("dotted names are recognised", () => {
  expect(namePartsOf("a.b")).toEqual(["a", "b"]);
  expect(namePartsOf("a::b()")).toEqual(["a", "b"]);
  for (const text of ["a", "a.", "a b.c", "1.2", "", "..", "a..b"]) expect(namePartsOf(text)).toEqual([]);
});

test("any text is accepted, and anchors name known files only", () => {
  const kb = knowledgeOf(FIXTURE);
  const ids = new Set(kb.files().map(({ id }) => id));
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom("**/*", "{a,b", "[", "C:\\x\\y.py", "../../etc/passwd", "__proto__"),
  );
  fc.assert(
    fc.property(text, (raw) => {
      const task = taskOf([["prose", raw]], {
        fileHints: [mention(raw)],
        symbolHints: [mention(raw)],
        urls: [raw],
        given: { paths: [raw], symbols: [raw], languages: [] },
      });
      for (const anchor of findAnchors(task, kb, kb.files()))
        for (const id of anchor.files) expect(ids.has(id)).toBe(true);
    }),
  );
});

test("a module whose own name has dots is named by it and by its members, and not by a part of it", () => {
  const module = (text: string, name: string, member: string): Fixture["files"][string] => ({
    text,
    symbols: [
      { name, kind: "namespace", lines: [1, 4] },
      { name: member, kind: "function", lines: [2, 3], parent: 0 },
    ],
  });
  const text = "def\nx\ny\nend";
  const kb = knowledgeOf({
    files: {
      "lib/shop.ex": module(text, "Shop", "start"),
      "lib/shop/cart.ex": module(text, "Shop.Cart", "total"),
      "lib/shop/item.ex": module(text, "Shop.Item", "total"),
    },
  });
  const found = (title: string): readonly string[] => {
    const task = analyzeTask(title, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() });
    const anchors = findAnchors(task, kb, kb.files()).flatMap(({ kind, codeLike, text: name, symbols }) =>
      kind === "qualified" || (kind === "definition" && codeLike)
        ? kb.symbolsById(symbols).map(({ qualifiedName }) => `${kind} ${name}: ${qualifiedName}`)
        : [],
    );
    return [...new Set(anchors)];
  };
  expect(found("`Shop.Cart`: sums are wrong")).toEqual(["qualified Shop.Cart: Shop.Cart"]);
  expect(found("sums are wrong\n\nin Shop.Cart")).toEqual(["qualified Shop.Cart: Shop.Cart"]);
  expect(found("`Shop.Cart.total/1` is wrong")).toContain("qualified Shop.Cart.total: Shop.Cart.total");
  expect(found("a\n\n`Shop.Cart.total` is wrong").join()).not.toContain("qualified Shop.Cart.total: Shop.Item");
  const hinted = taskOf([], { given: { paths: [], symbols: ["Shop.Cart", "Shop.Cart.total"], languages: [] } });
  const symbolsOfHints = findAnchors(hinted, kb, kb.files()).flatMap(({ symbols }) => kb.symbolsById(symbols));
  expect(symbolsOfHints.map(({ qualifiedName }) => qualifiedName)).toEqual(["Shop.Cart", "Shop.Cart.total"]);
  expect(found("`Shop.Cart` is not started by `Shop`")).toEqual([
    "definition Shop: Shop",
    "qualified Shop.Cart: Shop.Cart",
  ]);
});
