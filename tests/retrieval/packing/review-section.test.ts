/** The diff under review: bounded, exact about what it leaves out, and never at the cost of what a task needs. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Bundle, ContextPackage } from "../../../src/retrieval/model/package-schema.ts";
import type { Review } from "../../../src/retrieval/model/review.ts";
import { DIFF_SHARE } from "../../../src/retrieval/packing/review-section.ts";
import { renderBundle } from "../../../src/retrieval/render/bundle.ts";
import { renderXml } from "../../../src/retrieval/render/xml.ts";
import { type FilePatch, filePatch, patchText } from "../../../src/text/diff/file-patch.ts";
import { openTokenCounter } from "../../../src/text/tokens/tokens.ts";
import { blocksOf } from "../../support/commonmark.ts";
import { floorOf, indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { parsedXml } from "../../support/xml.ts";
import { HOSTILE } from "../retrieve-fixture.ts";

const world = shared(await indexed(HOSTILE));
const TASK = "fix `engine_step_3` of the boiler";

const { count } = await openTokenCounter("o200k_base", { margin: 0 });
const lines = (name: string, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `${name} ${from + at}\n`).join("");

function patch(path: string, before: string | null, after: string | null): FilePatch {
  const version = (text: string | null) => (text === null ? null : { path, mode: "100644", content: { text } });
  return filePatch(version(before), version(after), (text) => text);
}
const reviewOf = (...patches: readonly FilePatch[]): Review => ({ base: "a".repeat(40), uncommitted: true, patches });

const SMALL = patch("src/engine.py", "a\nb\nc\n", "a\nB\nc\n");
const sectionOf = (markdown: string): string => /## Diff\n([\s\S]*?)\n\n## /.exec(markdown)?.[1] ?? "";
const changedLines = (diff: string): number =>
  diff.split("\n").filter((line) => /^[+-](?!-- |\+\+ )/.test(line)).length;

const text = fc
  .array(fc.constantFrom("a", "```", "x".repeat(900), "<b>", "]]>", "ü", "diff --git a/x b/x"), { maxLength: 60 })
  .map((all) => all.map((line) => `${line}\n`).join(""));
const reviews = fc
  .array(fc.record({ before: fc.option(text), after: text }), { minLength: 1, maxLength: 12 })
  .map((all) => reviewOf(...all.map(({ before, after }, at) => patch(`src/part_${at}.py`, before, after))));

test("the text stays within the budget, and the floor is the same with and without a diff", async () => {
  const floor = await floorOf(world.run(TASK, { budget: 1 }));
  await fc.assert(
    fc.asyncProperty(reviews, fc.double({ min: 0, max: 1, noNaN: true }), async (review, at) => {
      expect(await floorOf(world.run(TASK, { budget: floor - 1, review }))).toBe(floor);
      const budget = Math.floor(floor * (20_000 / floor) ** at);
      const run = await world.run(TASK, { budget, review });
      expect(Math.max(count(run.markdown), count(run.prompt))).toBeLessThanOrEqual(budget);
      if (budget > 2 * floor) expect(count(renderXml(run.packedFor(renderXml)))).toBeLessThanOrEqual(budget);
      expect(run.pkg.token_count).toBe(count(run.markdown));
      expect(run.pkg.provenance.budget.floor).toBe(floor);
      expect(count(sectionOf(run.markdown))).toBeLessThanOrEqual(budget * DIFF_SHARE + 1);
      expect(run.pkg.files.some(({ path }) => path === "src/engine.py")).toBe(true);
      expect(run.pkg.review?.files).toHaveLength(review.patches.length);
    }),
    { numRuns: 8 },
  );
});

test("a diff that fits is whole, as git prints it, and the first section after the task", async () => {
  const review = reviewOf(SMALL, patch("gone.py", "x\n", null));
  const { pkg, markdown, prompt } = await world.run(TASK, { review });
  const diff = review.patches.map(patchText).join("\n");
  expect(pkg.review?.diff).toBe(diff);
  expect(pkg.review?.lines_left_out).toBe(0);
  expect(pkg.review?.files).toEqual([
    { path: "src/engine.py", old_path: null, change: "modified", added: 1, deleted: 1 },
    { path: "gone.py", old_path: null, change: "deleted", added: 0, deleted: 1 },
  ]);
  const shown = `2 files, +1 -2 lines, with uncommitted changes, against commit ${"a".repeat(12)}:\n\`\`\`diff\n${diff}\n\`\`\``;
  expect(sectionOf(markdown)).toBe(shown);
  expect(blocksOf(markdown).filter(({ kind }) => kind === "heading 2")[1]?.text).toBe("Diff");
  expect(prompt).toContain(`Diff:\n${shown}\n\n### src/engine.py`);
  expect(parsedXml(renderXml(pkg)).find(({ name }) => name === "diff")?.text).toContain(diff);
});

test.each(["", "the end"])("the largest hunks are cut first, and say how many lines are missing, %p", async (end) => {
  const large = patch(
    "src/large.py",
    `${lines("old", 0, 400)}${end}`,
    `${lines("new", 0, 300)}${end && "the new end"}`,
  );
  const { pkg } = await world.run(TASK, { budget: 2_000, review: reviewOf(SMALL, large) });
  const { diff = "", lines_left_out: left } = pkg.review ?? {};
  expect(diff).toContain(patchText(SMALL));
  const [, deleted = "", added = ""] =
    /^⋮ (\d+) more deleted lines\n[\s\S]*^⋮ (\d+) more added lines$/m.exec(diff) ?? [];
  expect(Number(deleted) + changedLines(diff) + Number(added)).toBe(end === "" ? 702 : 704);
  expect(left).toBe(Number(deleted) + Number(added));
  expect(diff).toContain("\n-old 0\n");
  expect(diff).toContain("\n+new 0\n");
});

test("of very many files the sources remain, without lines where these have no room", async () => {
  const many = Array.from({ length: 300 }, (_, at) => patch(`docs/page_${at}.md`, "a\n", "b\n"));
  const review = reviewOf(...many, patch("src/engine.py", lines("x", 0, 90), ""));
  const { pkg } = await world.run(TASK, { budget: 1_500, review });
  expect(pkg.review?.diff).toContain("⋮ modified src/engine.py: +0 -90 lines left out");
  const left = Number(/⋮ (\d+) more changed files$/.exec(pkg.review?.diff ?? "")?.[1]);
  expect(left + (pkg.review?.diff.match(/^⋮ modified /gm) ?? []).length).toBe(301);
  expect(pkg.review?.files).toHaveLength(301);
  expect(pkg.review?.lines_left_out).toBe(690);
});

test("a long line of a diff that is cut loses its end; binary and large files have only a header", async () => {
  const long = patch("src/min.js", null, `${"var a=1;".repeat(2_000)}\n`);
  const version = { path: "logo.png", mode: "100644", content: { unread: "binary" } as const };
  const binary = filePatch(version, version, (all) => all);
  const huge = filePatch(null, { ...version, path: "huge.sql", content: { unread: "too large" } }, (all) => all);
  const { pkg } = await world.run(TASK, { budget: 2_000, review: reviewOf(huge, binary, long) });
  expect(pkg.review?.diff).toMatch(/^\+var a=1;.* ⋮ \d+ more characters$/m);
  expect(pkg.review?.diff).toContain("Binary files a/logo.png and b/logo.png differ");
  expect(pkg.review?.diff).toContain("+++ b/src/min.js");
  expect(pkg.review?.diff).toContain("⋮ too large to compare line by line");
});

test("a limit of lines applies to the diff too", async () => {
  const review = reviewOf(patch("src/large.py", "", lines("new", 0, 300)));
  const { markdown, prompt, pkg } = await world.run(TASK, { maxLines: 60, review });
  for (const one of [markdown, prompt]) expect(one.split("\n").length - 1).toBeLessThanOrEqual(60);
  expect(pkg.review?.diff.split("\n").length).toBeLessThanOrEqual(24);
  expect(pkg.review?.diff).toContain("+new 0");
});

test("JSON has the review in a field of its own, as its schemas say; a package without one does not mention it", async () => {
  const { pkg } = await world.run(TASK, { review: reviewOf(SMALL) });
  expect(ContextPackage.parse(pkg).review).toEqual(pkg.review);
  const links = { scores: new Map(), exported: new Set<string>(), references: [] };
  expect(Bundle.parse(renderBundle(pkg, { intent: "x", links: () => links })).review).toEqual(pkg.review);
  const plain = await world.run(TASK);
  expect("review" in plain.pkg).toBe(false);
  expect(plain.markdown + plain.prompt).not.toContain("Diff");
});

test("the diff is part of a task's id and of previews; hidden secrets in it are reported", async () => {
  const hidden = patch("src/engine.py", "a\n", "key = [redacted: aws access key]\n");
  const runs = [undefined, SMALL, hidden].map(async (one) =>
    world.run(TASK, one === undefined ? {} : { review: reviewOf(one) }),
  );
  const [plain, small, secret] = await Promise.all(runs);
  expect(new Set([plain?.taskId, small?.taskId, secret?.taskId]).size).toBe(3);
  expect(secret?.pkg.warnings.join()).toContain("the diff");
  const preview = await small?.dryRun.preview({ request: {}, budget: 3_000 }, new AbortController().signal);
  expect(preview?.kind === "package" ? preview.package.review?.diff : null).toBe(patchText(SMALL));
});
