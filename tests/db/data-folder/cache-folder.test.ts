/** The folder of the parse cache that work trees share. */
import { expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createCacheFolder, locateCacheFolder } from "../../../src/db/data-folder/cache-folder.ts";
import { folder } from "../folder.ts";

const ME = process.getuid?.() ?? null;

test("it is in git's folder, and of this user only", () => {
  using git = folder();
  const path = git.at("cra");
  expect(locateCacheFolder(git.path, ME)).toEqual({ kind: "shared", path });
  createCacheFolder(path);
  createCacheFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(locateCacheFolder(git.path, ME)).toEqual({ kind: "shared", path });
  expect(locateCacheFolder(null, ME)).toEqual({ kind: "own" });
});

test("a link, a file, and a folder with a link in it are refused", () => {
  using git = folder();
  const path = git.at("cra");
  const whyOf = () => {
    const found = locateCacheFolder(git.path, ME);
    rmSync(path, { recursive: true });
    return found.kind === "refused" ? found.why : found.kind;
  };
  mkdirSync(git.at("elsewhere"));
  symlinkSync(git.at("elsewhere"), path);
  expect(whyOf()).toBe("it is a symbolic link");
  writeFileSync(path, "");
  expect(whyOf()).toBe("it is not a folder");
  mkdirSync(path);
  symlinkSync(git.at("elsewhere"), git.at("cra/parse-cache.sqlite"));
  expect(whyOf()).toBe("parse-cache.sqlite in it is a symbolic link");
});

test.skipIf(ME !== 0)("what another user owns is refused", () => {
  using git = folder();
  createCacheFolder(git.at("cra"));
  chownSync(git.at("cra"), 12_345, 12_345);
  expect(locateCacheFolder(git.path, ME)).toMatchObject({ kind: "refused", why: "it is owned by another user" });
  chownSync(git.path, 12_345, 12_345);
  expect(locateCacheFolder(git.path, ME)).toMatchObject({
    kind: "refused",
    why: "git's folder is owned by another user",
  });
});

test.skipIf(ME === 0)("what cannot be written is not used", () => {
  using git = folder();
  chmodSync(git.path, 0o500);
  expect(locateCacheFolder(git.path, ME)).toEqual({ kind: "own" });
  chmodSync(git.path, 0o700);
});
