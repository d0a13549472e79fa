import { expect, test } from "bun:test";
import fc from "fast-check";
import { reasonLine } from "../../../src/retrieval/render/file-parts.ts";
import { quotedTask, renderMarkdown } from "../../../src/retrieval/render/markdown.ts";
import { fenced } from "../../../src/text/markdown.ts";
import { emptyPackage, packageFile, packageSymbol } from "../../support/package.ts";

test("a package renders as the documented sections, in order", () => {
  const base = emptyPackage("fix the login when LDAP is used");
  const text = renderMarkdown({
    ...base,
    provenance: { ...base.provenance, edges_shown: 2 },
    dependency_edges: [
      ["src/auth/handler.py", "src/auth/types.py"],
      ["tests/test_auth.py", "src/auth/handler.py"],
    ],
    files: [
      packageFile({
        path: "src/auth/handler.py",
        relevance_rank: 1,
        rationale_comments: ["line 12: Workaround for legacy LDAP, remove after the migration"],
        symbols: [
          packageSymbol({
            name: "validate_login",
            qualified_name: "Auth.validate_login",
            start_line: 10,
            signature: "def validate_login(self, request)",
            body: "    def validate_login(self, request):\n        return check(request)",
          }),
          packageSymbol({ name: "logout", start_line: 30, signature: "def logout(request) -> None" }),
          packageSymbol({
            name: "check",
            start_line: 50,
            signature: "def check(request) -> bool",
            docstring: "Says yes or no.\n\nMore.",
            relevance: "supporting",
          }),
        ],
        snippets: [{ start_line: 1, end_line: 2, text: "import ldap\nimport os", reason: "header" }],
      }),
      packageFile({
        path: "src/auth/types.py",
        relevance_rank: 3,
        symbols: [
          packageSymbol({
            name: "LoginRequest",
            kind: "class",
            start_line: 4,
            signature: "class LoginRequest",
            body: "class LoginRequest:\n    username: str",
            relevance: "type_context",
          }),
        ],
      }),
      packageFile({
        path: "tests/test_auth.py",
        relevance_rank: 5,
        test_assertions: ["test_ok: assert result.success is True", "test_ok: assert result.token is not None"],
        symbols: [packageSymbol({ name: "test_ok", start_line: 3, signature: "def test_ok()" })],
      }),
    ],
  });
  expect(text).toBe(`## Task
fix the login when LDAP is used

## Primary Context
### src/auth/handler.py (rank #1)
\`\`\`python
import ldap
import os
# ⋮ line 10, in Auth
    def validate_login(self, request):
        return check(request)
def logout(request) -> None: ...  # ⋮ line 30
\`\`\`
Supporting:
\`\`\`python
def check(request) -> bool: ...  # ⋮ line 50: Says yes or no.
\`\`\`
Why:
- line 12: Workaround for legacy LDAP, remove after the migration
**Depends on**: \`src/auth/types.py\`

### src/auth/types.py (rank #3, type context)
\`\`\`python
# ⋮ line 4
class LoginRequest:
    username: str
\`\`\`

## Test Expectations
### tests/test_auth.py (rank #5)
- \`test_ok\`: asserts \`assert result.success is True\` and \`assert result.token is not None\`

## Dependency Map
src/auth/handler.py → src/auth/types.py
tests/test_auth.py → src/auth/handler.py
`);
});

test("tests of one name in two classes have their own assertions", () => {
  const inClass = (owner: string, line: number) =>
    packageSymbol({
      name: "test_ok",
      qualified_name: `${owner}.test_ok`,
      start_line: line,
      signature: "def test_ok(self)",
    });
  const file = packageFile({
    path: "tests/test_auth.py",
    relevance_rank: 1,
    test_assertions: ["One.test_ok: a == 1", "One.test_ok: b == 2", "Two.test_ok: c == 3"],
    symbols: [inClass("One", 3), inClass("Two", 9)],
  });
  expect(renderMarkdown({ ...emptyPackage("anything"), files: [file] })).toContain(
    "- `One.test_ok`: asserts `a == 1` and `b == 2`\n- `Two.test_ok`: asserts `c == 3`\n",
  );
});

test("the cut of a list of dependencies is marked", () => {
  const base = emptyPackage("anything");
  const symbols = [packageSymbol({ name: "f", start_line: 1, signature: "def f()", body: "def f(): pass" })];
  const pkg = {
    ...base,
    files: [packageFile({ path: "a.py", relevance_rank: 1, symbols })],
    dependency_edges: [
      ["a.py", "b.py"],
      ["a.py", "c.py"],
      ["a.py", "d.py"],
      ["b.py", "c.py"],
    ] satisfies [string, string][],
  };
  const shown = (edges_shown: number): string =>
    renderMarkdown({ ...pkg, provenance: { ...base.provenance, edges_shown } });
  expect(shown(2)).toContain("**Depends on**: `b.py`, `c.py` and 1 more\n");
  expect(shown(2)).toEndWith("## Dependency Map\na.py → b.py\na.py → c.py\nand 2 more\n");
  expect(shown(4)).not.toContain("more");
  expect(shown(0)).not.toContain("more");
});

test("a reason stands under the heading, and nothing in it is Markdown or a control character", () => {
  const file = packageFile({
    path: "a.py",
    relevance_rank: 1,
    reason: 'changed by "Fix #12 [x](y) <b>*\u202e"\n## Task',
    symbols: [packageSymbol({ name: "f", start_line: 1, signature: "def f()", body: "def f(): pass" })],
  });
  expect(renderMarkdown({ ...emptyPackage("anything"), files: [file] })).toContain(
    '### a.py (rank #1)\nReason: changed by "Fix #12 [x\\](y) \\<b>\\*\\u{202e}" ## Task\n```python\n',
  );
});

test("names with underscores at their edges are code in a reason", () => {
  expect(reasonLine("imported by shop/__init__.py; to_x is used by _y in a.py")).toBe(
    "Reason: imported by `shop/__init__.py`; to_x is used by `_y` in a.py",
  );
  expect(reasonLine('changed by "Use `__x`"')).toBe('Reason: changed by "Use `__x`"');
});

test("an empty package is the task alone", () => {
  expect(renderMarkdown(emptyPackage("anything"))).toBe("## Task\nanything\n");
});

test("one file in two packages is shown with the blank lines of each", () => {
  const base = emptyPackage("anything");
  const snippet = (line: number) => ({ start_line: line, end_line: line, text: `line ${line}`, reason: "" });
  const file = packageFile({ path: "a.py", relevance_rank: 1, snippets: [snippet(1), snippet(3)] });
  const text = (blank_lines: number[]): string => {
    const shown = { path: "a.py", tier: "seed" as const, relation: "", reasons: [], blank_lines, score: 1, terms: [] };
    return renderMarkdown({ ...base, files: [file], provenance: { ...base.provenance, files: [shown] } });
  };
  for (let round = 0; round < 2; round += 1) {
    expect(text([2])).toContain("line 1\n\nline 3\n");
    expect(text([])).toContain("line 1\n# ⋮ line 3\nline 3\n");
  }
});

/** A reader of CommonMark fences: the lines of the first fenced block, and what follows it. */
function readFence(text: string): { inside: string; after: string } {
  const lines = text.split("\n");
  const open = /^(`{3,})/.exec(lines[0] ?? "")?.[1] ?? "";
  const close = lines.findIndex(
    (line, index) => index > 0 && /^`+\s*$/.test(line) && line.trim().length >= open.length,
  );
  return { inside: lines.slice(1, close).join("\n"), after: lines.slice(close + 1).join("\n") };
}

test("nothing inside a fence can close it", () => {
  const text = fc.array(fc.constantFrom("`", "``", "```", "````", "~~~", "\n", "a", " ", "```js\n"), { maxLength: 40 });
  fc.assert(
    fc.property(text, (parts) => {
      const inner = parts.join("");
      const read = readFence(fenced(inner, "js"));
      expect(read.inside).toBe(inner.endsWith("\n") ? inner.slice(0, -1) : inner);
      expect(read.after).toBe("");
    }),
  );
});

test("a task is fenced only when it would change the document around it", () => {
  expect(quotedTask("fix the login bug in auth.py")).toBe("fix the login bug in auth.py");
  for (const task of [
    "# Title\nbody",
    "see ```js\ncode",
    "text\n~~~\nx",
    "<!-- hidden -->",
    "a\n## Primary Context\nb",
  ])
    expect(readFence(quotedTask(task)).inside).toBe(task);
});

test("a definition of which only decorators are shown has its signature too", () => {
  const file = (text: string) =>
    packageFile({
      path: "a.py",
      relevance_rank: 1,
      symbols: [packageSymbol({ name: "run", start_line: 4, end_line: 9, signature: "def run(port: int) -> None" })],
      snippets: [{ start_line: 4, end_line: 3 + text.split("\n").length, text, reason: "" }],
    });
  const shown = (text: string): string => renderMarkdown({ ...emptyPackage("run"), files: [file(text)] });
  const decorators = '@command("start")\n@option("--port")';
  expect(shown(decorators)).toContain(
    `\`\`\`python\ndef run(port: int) -> None: ...  # ⋮ line 4\n# ⋮ line 4\n${decorators}\n\`\`\``,
  );
  const whole = `${decorators}\ndef run(`;
  expect(shown(whole)).toContain(`\`\`\`python\n# ⋮ line 4\n${whole}\n\`\`\``);
});
