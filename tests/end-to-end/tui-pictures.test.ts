/** The screenshots of the documentation match the program. `bun scripts/pictures.ts` takes them again. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pictures, stale } from "../../scripts/pictures.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";

const ROOT = join(import.meta.dir, "../..");

test(
  "every picture is up to date and used in a page",
  async () => {
    const taken = await pictures(indexIn);
    expect(await stale(taken)).toEqual([]);
    expect(await stale(taken.map((picture) => ({ ...picture, svg: `${picture.svg} ` })))).toHaveLength(taken.length);
    const pages = ["README.md", "docs/guide.md", "docs/terminal.md"]
      .map((page) => readFileSync(join(ROOT, page), "utf8"))
      .join("\n");
    // Every viewer keeps the blanks, and each palette is another picture.
    for (const { svg } of taken) expect(svg).not.toMatch(/<text[^>]*>[^<]* /);
    expect(new Set(taken.map(({ svg }) => svg)).size).toBe(taken.length);
    for (const { path } of taken) expect(pages).toContain(`${relative(ROOT, path)})`);
  },
  HANG_MS,
);
