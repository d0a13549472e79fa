import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isRepositoryPath, readFile } from "../../../src/source/files/read-file.ts";
import { temporaryFolder } from "../fixture.ts";

test("reads a regular file within the limit", () => {
  using folder = temporaryFolder({ "a/b.txt": "hello", empty: "" });
  expect(readFile(folder.path, "a/b.txt", 5)).toEqual({ kind: "bytes", bytes: new Uint8Array(Buffer.from("hello")) });
  expect(readFile(folder.path, "empty", 0)).toEqual({ kind: "bytes", bytes: new Uint8Array() });
  expect(readFile(folder.path, "a/b.txt", 4)).toEqual({ kind: "problem", why: "larger than 4 bytes" });
});

test("anything else is a problem", () => {
  using outside = temporaryFolder({ "secret.txt": "1" });
  using folder = temporaryFolder();
  symlinkSync(join(outside.path, "secret.txt"), join(folder.path, "link"));
  symlinkSync(outside.path, join(folder.path, "linked-folder"));
  mkdirSync(join(folder.path, "folder"));
  Bun.spawnSync(["mkfifo", join(folder.path, "pipe")]);
  const why = (path: string): string => {
    const read = readFile(folder.path, path, 100);
    return read.kind === "problem" ? read.why : "read";
  };
  expect(["link", "linked-folder/secret.txt", "folder", "pipe", "missing"].map(why)).toEqual([
    "not a regular file",
    "lies outside the repository",
    "not a regular file",
    "not a regular file",
    "it no longer exists",
  ]);
  for (const path of ["../x", "/etc/passwd", "a/../../x", "", "a//b", "./a", "a\0b"])
    expect(why(path)).toBe("not a path inside the repository");
});

test("accepts only paths that stay inside", () => {
  expect(["a", "a/b", "..a", "a..b/...", "C:"].filter((path) => !isRepositoryPath(path))).toEqual([]);
});
