/** The pictures of the README show the program as it is. `bun scripts/pictures.ts` takes them anew. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pictures, stale } from "../../scripts/pictures.ts";
import { BUILD_TIMEOUT_MS } from "../support/binary.ts";

const ROOT = join(import.meta.dir, "../..");

test(
  "every picture is fresh, and stands in the README",
  async () => {
    const taken = await pictures();
    expect(await stale(taken)).toEqual([]);
    expect(await stale(taken.map((picture) => ({ ...picture, svg: `${picture.svg} ` })))).toHaveLength(taken.length);
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    for (const { path } of taken) expect(readme).toContain(`](${relative(ROOT, path)})`);
  },
  BUILD_TIMEOUT_MS,
);
