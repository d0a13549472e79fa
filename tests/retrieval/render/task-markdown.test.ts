import { expect, test } from "bun:test";
import fc from "fast-check";
import { quotedTask } from "../../../src/retrieval/render/markdown.ts";
import { fenced, inlineCode, pathText, plain } from "../../../src/text/markdown.ts";

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

test("inline code outgrows the backticks inside and stays on one line", () => {
  expect(inlineCode("a.b")).toBe("`a.b`");
  expect(inlineCode("a`b``c")).toBe("``` a`b``c ```");
  expect(inlineCode("two\n  lines")).toBe("`two lines`");
});

test("a path in a heading shows control characters and cannot act as Markdown", () => {
  expect(plain("src/a_b.py")).toBe("src/a_b.py");
  expect(plain("x\u001b[2J\n# y")).not.toMatch(/[\u001b\n]/);
  expect(plain("a`b*[c](d)")).toBe("a\\`b\\*\\[c\\](d)");
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

test("a path is shown letter by letter: plain where Markdown sees nothing in it, else as code", () => {
  for (const path of ["src/a_b.py", "web/cart-view.tsx", "大赛/x.ts", "@scope/pkg/index.js"])
    expect(pathText(path)).toBe(path);
  expect(pathText("app/[slug]/page.tsx")).toBe("`app/[slug]/page.tsx`");
  expect(pathText("- a/b c.ts")).toBe("`- a/b c.ts`");
  expect(pathText("a`b.ts")).toBe("`` a`b.ts ``");
  expect(pathText("~~~")).toBe("`~~~`");
});
