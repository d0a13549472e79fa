import { expect, test } from "bun:test";
import { findAnchors } from "../../src/retrieval/anchors/anchors.ts";
import { scoreText } from "../../src/retrieval/lexical/lexical.ts";
import { atOnce } from "../../src/retrieval/model/steps.ts";
import { SIGNALS, type SignalName } from "../../src/retrieval/ranking/signals/table.ts";
import type { TaskQuery } from "../../src/task/query.ts";
import { type Fixture, knowledgeOf } from "../support/knowledge.ts";
import { taskOf } from "../support/task.ts";

/** A signal's values above 0, by path; null when its source is absent. */
async function values(name: SignalName, fixture: Fixture, task: TaskQuery, seeds: readonly string[] = []) {
  const signal = await SIGNALS[name].load();
  const kb = knowledgeOf(fixture);
  const files = kb.files();
  const input = {
    kb,
    files,
    task,
    anchors: findAnchors(task, kb, files),
    seeds: files.filter(({ path }) => seeds.includes(path)).map(({ id }) => id),
    text: atOnce(scoreText(kb, files, task.sections, new Float64Array(files.length).fill(1))),
  };
  const scores = signal(
    input,
    files.map(({ id }) => id),
  );
  if (scores === null) return null;
  for (const value of scores) expect(value >= 0 && value <= 1).toBe(true);
  return Object.fromEntries(
    files.flatMap(({ path }, position) => {
      const value = Math.round((scores[position] ?? 0) * 1e6) / 1e6;
      return value > 0 ? [[path, value]] : [];
    }),
  );
}

const keywords = (...words: readonly string[]): TaskQuery => taskOf([], { keywords: words });
const NOTHING = taskOf([]);

test("path_match: a full name, a word of it, a part of it", async () => {
  const files = {
    "src/auth/x.ts": "",
    "src/auth.ts": "",
    "src/user_auth.ts": "",
    "src/reauthorize.ts": "",
    "src/y.ts": "",
  };
  expect(await values("path_match", { files }, keywords("auth"))).toEqual({
    "src/auth.ts": 1,
    "src/auth/x.ts": 1,
    "src/reauthorize.ts": 0.25,
    "src/user_auth.ts": 0.5,
  });
});

const titled = (title: string): TaskQuery => taskOf([["title", title]]);

test("prefix_match: the file, or a folder around it, that the title begins with", async () => {
  const files = {
    "src/cart/item.ts": "",
    "src/cart.ts": "",
    "src/json_lines.ts": "",
    "src/other.ts": "",
    "src/shop/cart_test.ts": "",
    "tests/cart/item.test.ts": "",
  };
  const cart = { "src/cart.ts": 1, "src/cart/item.ts": 1 };
  expect(await values("prefix_match", { files }, titled("fix(cart): count once"))).toEqual(cart);
  expect(await values("prefix_match", { files }, titled("src/cart: count once"))).toEqual(cart);
  expect(await values("prefix_match", { files }, titled("json-lines: read all"))).toEqual({ "src/json_lines.ts": 1 });
  expect(await values("prefix_match", { files }, titled("Count the cart once"))).toBeNull();
});

test("prefix_match: a name of many folders means none of them", async () => {
  const places = ["a", "b", "c", "d", "e"].map((place) => `src/${place}/cart/item.ts`);
  const filesOf = (count: number) => Object.fromEntries(places.slice(0, count).map((path) => [path, ""]));
  const task = titled("cart: count once");
  expect(Object.keys((await values("prefix_match", { files: filesOf(4) }, task)) ?? {})).toEqual(places.slice(0, 4));
  expect(await values("prefix_match", { files: filesOf(5) }, task)).toEqual({});
});

test("symbol_match: the exact name, a part as written, a word in any case", async () => {
  const file = (name: string) => ({ text: "", symbols: [{ name, kind: "function" as const, lines: [1, 1] as const }] });
  const files = { "a.ts": file("auth"), "b.ts": file("checkauth"), "c.ts": file("AuthHandler"), "d.ts": file("other") };
  expect(await values("symbol_match", { files }, keywords("auth"))).toEqual({ "a.ts": 1, "b.ts": 0.5, "c.ts": 0.3 });
  const hinted = taskOf([], { symbolHints: [{ text: "x.AuthHandler", section: "inline", codeLike: true }] });
  expect(await values("symbol_match", { files }, hinted)).toEqual({ "c.ts": 1 });
});

const CHAIN: Fixture = {
  files: { "a.ts": "", "b.ts": "", "c.ts": "", "d.ts": "", "e.ts": "", "z.ts": "" },
  imports: [
    ["a.ts", "b.ts"],
    ["c.ts", "b.ts"],
    ["c.ts", "d.ts"],
    ["d.ts", "e.ts"],
  ],
};

test("dependency_proximity: halves with every hop, in both directions, up to three", async () => {
  expect(await values("dependency_proximity", CHAIN, NOTHING, ["a.ts"])).toEqual({
    "a.ts": 1,
    "b.ts": 1,
    "c.ts": 0.5,
    "d.ts": 0.25,
  });
  expect(await values("dependency_proximity", CHAIN, NOTHING)).toBeNull();
  expect(await values("dependency_proximity", { files: CHAIN.files }, NOTHING, ["a.ts"])).toBeNull();
});

test("cochange_affinity: a share of the most frequent pair with a seed", async () => {
  const fixture: Fixture = {
    files: CHAIN.files,
    coChanges: [
      ["a.ts", "b.ts", 8],
      ["a.ts", "c.ts", 2],
      ["c.ts", "d.ts", 50],
    ],
  };
  expect(await values("cochange_affinity", fixture, NOTHING, ["a.ts"])).toEqual({ "b.ts": 1, "c.ts": 0.25 });
  expect(await values("cochange_affinity", fixture, NOTHING, ["z.ts"])).toBeNull();
  expect(await values("cochange_affinity", fixture, NOTHING)).toBeNull();
});

test("recency: the position of the last change in the history's span", async () => {
  const files = { "a.ts": { text: "", modifiedAt: 200 }, "b.ts": { text: "", modifiedAt: 125 }, "c.ts": "" };
  expect(await values("recency", { files, commitRange: { oldest: 100, newest: 200 } }, NOTHING)).toEqual({
    "a.ts": 1,
    "b.ts": 0.25,
  });
  expect(await values("recency", { files }, NOTHING)).toBeNull();
  expect(await values("recency", { files, commitRange: { oldest: 200, newest: 200 } }, NOTHING)).toEqual({});
});

const ENRICHED: Fixture = {
  files: { "a.ts": "", "b.ts": "", "c.ts": "" },
  metadata: {
    "a.ts": { domain: "Authentication", concepts: ["login", "session", "cookie"] },
    "b.ts": { module: "user authentication", concepts: ["login"] },
    "c.ts": { domain: "billing" },
  },
};

test("domain_match and concept_overlap need enrichment", async () => {
  const task = taskOf([], { concepts: ["authentication", "login"] });
  expect(await values("domain_match", ENRICHED, task)).toEqual({ "a.ts": 1, "b.ts": 0.5 });
  // shared 1 of {login, session, cookie, authentication} = .25; 1 of {login, authentication} = .5
  expect(await values("concept_overlap", ENRICHED, task)).toEqual({ "a.ts": 0.25, "b.ts": 0.5 });
  expect(await values("domain_match", { files: ENRICHED.files }, task)).toBeNull();
  expect(await values("concept_overlap", { files: ENRICHED.files }, task)).toBeNull();
});

test("structural_centrality: importers as a share of the most", async () => {
  expect(await values("structural_centrality", CHAIN, NOTHING)).toEqual({ "b.ts": 1, "d.ts": 0.5, "e.ts": 0.5 });
  expect(await values("structural_centrality", { files: CHAIN.files }, NOTHING)).toBeNull();
});

test("entry_point: by name or folder, or imported by ten files", async () => {
  const importers = Array.from({ length: 10 }, (_, index) => `m${index}.ts`);
  const files = Object.fromEntries(
    [...importers, "core.ts", "src/routes/login.ts", "pages/home.tsx", "main.py", "domain.ts"].map((path) => [
      path,
      "",
    ]),
  );
  expect(
    await values("entry_point", { files, imports: importers.map((path) => [path, "core.ts"] as const) }, NOTHING),
  ).toEqual({
    "core.ts": 0.5,
    "src/routes/login.ts": 1,
    "pages/home.tsx": 1,
    "main.py": 1,
  });
});

test("file_size: grows slowly with the lines, for files that match at all", async () => {
  const files = { "a.ts": `login${"\n".repeat(9)}`, "b.ts": `login${"\n".repeat(99)}`, "c.ts": "\n".repeat(99) };
  const sizes = await values("file_size", { files }, taskOf([["prose", "login"]]));
  expect(Object.keys(sizes ?? {})).toEqual(["a.ts", "b.ts"]);
  expect(sizes?.["a.ts"]).toBeCloseTo(Math.log(10) / 10, 1);
  expect(sizes?.["b.ts"]).toBeCloseTo(Math.log(100) / 10, 1);
});

const LOGIN: Fixture = {
  files: {
    "auth/login.ts": { text: "", symbols: [{ name: "login", kind: "function", lines: [1, 1] }] },
    "web/login.ts": { text: "", symbols: [{ name: "login", kind: "function", lines: [1, 1] }] },
    "web/page.ts": { text: "", symbols: [{ name: "renderPage", kind: "function", lines: [1, 1] }] },
  },
};

test("mention: each kind of name has its weight, divided among what it can mean, on a scale of 2", async () => {
  const path = (text: string) => taskOf([], { fileHints: [{ text, section: "prose" as const, codeLike: true }] });
  expect(await values("mention", LOGIN, path("auth/login.ts"))).toEqual({ "auth/login.ts": 0.15 }); // .3 / 2
  // a bare name: .3 × .5 / 2 files / 2
  expect(await values("mention", LOGIN, path("login.ts"))).toEqual({ "auth/login.ts": 0.0375, "web/login.ts": 0.0375 });
  // title .15 + prose .1
  expect(
    await values(
      "mention",
      LOGIN,
      taskOf([
        ["title", "renderPage"],
        ["prose", "renderPage"],
      ]),
    ),
  ).toEqual({ "web/page.ts": 0.125 });
  // inline: definition .2 × 2 mentions, capped at 1.5: .2 × 1.5
  expect(
    await values(
      "mention",
      LOGIN,
      taskOf([
        ["inline", "renderPage"],
        ["inline", "renderPage"],
      ]),
    ),
  ).toEqual({ "web/page.ts": 0.15 });
  // inline `login`: definition .2 / 2 and stem .2 / 2
  expect(await values("mention", LOGIN, taskOf([["inline", "login"]]))).toEqual({
    "auth/login.ts": 0.1,
    "web/login.ts": 0.1,
  });
});

test("trace_match: the deepest frame first", async () => {
  const frames = ["web/page.ts", "auth/login.ts"].map((file) => ({
    language: "node" as const,
    path: file,
    line: 1,
    function: null,
  }));
  expect(await values("trace_match", LOGIN, taskOf([], { frames }))).toEqual({
    "web/page.ts": 1,
    "auth/login.ts": 0.5,
  });
});

test("content_match, definition_match and phrase_match read the text", async () => {
  const fixture: Fixture = {
    files: {
      "a.ts": {
        text: "function f() {\n cannot open socket\n}",
        symbols: [{ name: "f", kind: "function", lines: [1, 3] }],
      },
      "b.ts": "nothing",
    },
  };
  const task = taskOf([["title", "cannot open socket"]]);
  expect(await values("content_match", fixture, task)).toEqual({ "a.ts": 1 });
  expect(await values("definition_match", fixture, task)).toEqual({ "a.ts": 1 });
  expect(await values("phrase_match", fixture, task)).toEqual({ "a.ts": 0.069315 }); // ln 2 / 10
});
