/** Loads every file of recall, so that one without tests counts as not covered and not as not there. */
import { expect, test } from "bun:test";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "..", "..", "src", "recall");

test("every file of recall loads by itself", async () => {
  const paths = [...new Bun.Glob("**/*.ts").scanSync(FOLDER)];
  expect(paths).toContain("context/assemble.ts");
  for (const path of paths) expect(await import(join(FOLDER, path))).toBeObject();
});
