/** The preview is what is shipped: its lines are those of the rendered package, file by file. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ContextPackage } from "../../../src/retrieval/model/package-schema.ts";
import { renderMarkdown } from "../../../src/retrieval/render/markdown.ts";
import { shippedPreview } from "../../../src/tui/state/preview.ts";
import { roundOf } from "../play.ts";

const GOLDEN = join(import.meta.dir, "../../golden/package");
const PACKAGES = readdirSync(GOLDEN).filter((name) => /(?<!\.bundle)\.json$/.test(name));

/** The sections of the files in a rendered package, in order, without fences. */
function sections(text: string): readonly (readonly string[])[] {
  const parts = text
    .slice(0, text.includes("\n## Dependency Map") ? text.indexOf("\n## Dependency Map") : undefined)
    .split(/^### .*$/m)
    .slice(1);
  return parts.map((part) =>
    part
      .replace(/^## Test Expectations$/m, "")
      .split("\n")
      .filter((line) => !/^`{3,}/.test(line) && line !== ""),
  );
}

test.each(PACKAGES)("%s", (name) => {
  const pkg = ContextPackage.parse(JSON.parse(readFileSync(join(GOLDEN, name), "utf8")));
  const round = roundOf(0, { package: pkg });
  const isTest = (path: string) => pkg.files.find((file) => file.path === path)?.test_assertions !== null;
  const order = [...pkg.files.filter(({ path }) => !isTest(path)), ...pkg.files.filter(({ path }) => isTest(path))];
  const previews = order.map(({ path }) => (shippedPreview({ round }, path)?.lines ?? []).map(({ text }) => text));
  expect(previews.map((lines) => lines.flatMap((text) => text.split("\n")).filter((line) => line !== ""))).toEqual(
    sections(renderMarkdown(pkg)).map((lines) => [...lines]),
  );
  expect(previews.flat().length).toBeGreaterThan(0);
});

test("code has line numbers", () => {
  const lines = shippedPreview({ round: roundOf(1) }, "src/part-0/file-000.ts")?.lines;
  expect(lines).toEqual([
    { kind: "mark", number: null, text: "# ⋮ line 3" },
    { kind: "code", number: 3, text: "function f0() {" },
    { kind: "code", number: 4, text: "  return 0;" },
    { kind: "code", number: 5, text: "}" },
  ]);
  expect(shippedPreview({ round: roundOf(1) }, "other.ts")).toBeNull();
});
