/** The preview is what is shipped: its lines are those of the rendered package, file by file. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ContextPackage } from "../../../../src/retrieval/model/package-schema.ts";
import { renderMarkdown } from "../../../../src/retrieval/render/markdown.ts";
import { shippedPreview } from "../../../../src/tui/state/preview/preview.ts";
import { shippedFiles } from "../../../../src/tui/state/shipped.ts";
import { roundOf } from "../../play.ts";

const GOLDEN = join(import.meta.dir, "../../../golden/package");
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

test.each(PACKAGES)("%s in the order of the text", (name) => {
  const pkg = ContextPackage.parse(JSON.parse(readFileSync(join(GOLDEN, name), "utf8")));
  const round = roundOf(0, { package: pkg });
  const previews = shippedFiles(pkg, [], () => 0).map(({ path }) =>
    (shippedPreview({ round }, { kind: "file", path })?.lines ?? []).map(({ text }) => text),
  );
  expect(previews.map((lines) => lines.flatMap((text) => text.split("\n")).filter((line) => line !== ""))).toEqual(
    sections(renderMarkdown(pkg)).map((lines) => [...lines]),
  );
  expect(previews.flat().length).toBeGreaterThan(0);
});

test("code has line numbers", () => {
  const lines = shippedPreview({ round: roundOf(1) }, { kind: "file", path: "src/part-0/file-000.ts" })?.lines;
  expect(lines).toEqual([
    { kind: "code", number: null, text: "# ⋮ line 3" },
    { kind: "code", number: 3, text: "function f0() {" },
    { kind: "code", number: 4, text: "  return 0;" },
    { kind: "code", number: 5, text: "}" },
  ]);
  expect(shippedPreview({ round: roundOf(1) }, { kind: "file", path: "other.ts" })).toBeNull();
});
