import { expect, test } from "bun:test";
import { join } from "node:path";
import { isUntracked } from "../../../src/source/walk/untracked.ts";
import { commitFiles, temporaryFolder, temporaryRepository, writeFiles } from "../fixture.ts";

test("a new file in the work tree is untracked, unless it is ignored; others are not", () => {
  using repo = temporaryRepository();
  using outside = temporaryFolder({ "c.md": "" });
  commitFiles(repo.path, { "a.md": "", ".gitignore": "out/\n*.log\n", "docs/.gitignore": "!kept.log\nmade.md\n" });
  writeFiles(repo.path, { "b.md": "", "out/x.md": "", "y.log": "", "docs/kept.log": "", "docs/made.md": "" });
  const isNew = (path: string): boolean => isUntracked(repo.path, path, {});
  const inside = ["a.md", "b.md", "out/x.md", "y.log", "docs/kept.log", "docs/made.md"];
  expect(inside.filter((path) => isNew(join(repo.path, path)))).toEqual(["b.md", "docs/kept.log"]);
  expect(isNew(join(outside.path, "c.md"))).toBe(false);
  expect(isUntracked(outside.path, join(outside.path, "c.md"), {})).toBe(false);
});
