/** Which file a task of one sentence means by a path that several files end with. */
import { expect, test } from "bun:test";
import { findAnchors } from "../../../src/retrieval/anchors/anchors.ts";
import type { Mention, SectionKind } from "../../../src/task/query.ts";
import { knowledgeOf } from "../../support/knowledge.ts";
import { taskOf } from "../../support/task.ts";

const mention = (text: string, section: SectionKind): Mention => ({ text, section, codeLike: false });

test("it means the one whose whole path it is", () => {
  const kb = (at: string, others: string) =>
    knowledgeOf({
      files: Object.fromEntries(
        [at, ...[...others].map((name) => `crates/${name}/Cargo.toml`)].map((path) => [path, ""]),
      ),
    });
  type Text = readonly (readonly [SectionKind, string])[];
  for (const others of ["abcde", "ab"]) {
    const all = others.length + 1;
    const meant = (text: string, at = "Cargo.toml", more: Text = [], keywords: readonly string[] = []): number => {
      const task = taskOf([["title", `update ${text}`], ...more], { fileHints: [mention(text, "title")], keywords });
      const known = kb(at, others);
      return findAnchors(task, known, known.files()).flatMap(({ files }) => files).length;
    };
    expect([meant("Cargo.toml"), meant("./Cargo.toml"), meant("crates/a/Cargo.toml")]).toEqual([1, 1, 1]);
    expect(meant("Cargo.toml", "crates/f/Cargo.toml")).toBe(all);
    expect(meant("Cargo.toml", "Cargo.toml", [["prose", "It is old. Very old."]])).toBe(all);
    expect(meant("Cargo.toml", "Cargo.toml", [], ["b"])).toBe(all);
  }
});

test("a folder of that path is not the folder of another file", () => {
  const kb = knowledgeOf({ files: { "tests/conftest.py": "", "examples/tutorial/tests/conftest.py": "" } });
  const meant = (keywords: readonly string[]): number => {
    const title = "fix tests/conftest.py";
    const task = taskOf([["title", title]], { fileHints: [mention("tests/conftest.py", "title")], keywords });
    return findAnchors(task, kb, kb.files()).flatMap(({ files }) => files).length;
  };
  expect(meant(["tests", "conftest"])).toBe(1);
  expect(meant(["tests", "conftest", "tutorial"])).toBe(2);
});

test("a file that defines what the task names is meant before one whose whole path it is", () => {
  const text = "def login():\n  pass";
  const kb = knowledgeOf({
    files: {
      "app.py": "",
      "src/app.py": { text, symbols: [{ name: "login", kind: "function", lines: [1, 2] }] },
    },
  });
  const meant = (title: string): readonly string[] => {
    const task = taskOf([["title", title]], { fileHints: [mention("app.py", "title")], title });
    const paths = new Map(kb.files().map(({ id, path }) => [id, path]));
    const anchors = findAnchors(task, kb, kb.files()).filter(({ kind }) => kind === "path");
    return anchors.flatMap(({ files }) => files.map((id) => paths.get(id) ?? ""));
  };
  expect(meant("fix login() in app.py")).toEqual(["src/app.py"]);
  expect(meant("fix app.py")).toEqual(["app.py"]);
});
