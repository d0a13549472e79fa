/** Places that a client names: inside of the root, links followed, or refused. */
import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boundsInside, fromRoot, placeInside } from "../../src/mcp/path-sandbox.ts";
import { tempFolder } from "../support/folder.ts";
import { shared } from "../support/shared.ts";

const folder = shared(tempFolder());
const root = join(folder.path, "repo");
const served = { root, members: [] };
mkdirSync(join(root, "a/b"), { recursive: true });
mkdirSync(join(folder.path, "repo-other"));
writeFileSync(join(folder.path, "secret"), "x");
symlinkSync(join(folder.path, "secret"), join(root, "out"));
symlinkSync("a", join(root, "in"));
symlinkSync("loop", join(root, "loop"));

test("paths inside are relative to the root, also through links", () => {
  expect(["a", "./a/b/", "a/../a", "in/b", "."].map((typed) => placeInside(root, typed, "x"))).toEqual([
    "a",
    "a/b",
    "a",
    "a/b",
    "",
  ]);
  expect(placeInside(root, join(root, "a"), "x")).toBe("a");
});

test("paths outside are refused equally whether they exist or not", () => {
  for (const typed of ["..", "../secret", "../none", "/etc", "/none", "out", "../repo-other", "a/../../secret"]) {
    expect(() => placeInside(root, typed, "run_dir")).toThrow(
      `run_dir: ${typed}: it is outside the repository that this server serves; give a path relative to the repository's root`,
    );
  }
  expect(() => placeInside(root, "none", "x")).toThrow("x: none: ");
  expect(() => placeInside(root, "loop", "x")).toThrow("x: loop: ");
  expect(() => placeInside(root, "a\0", "x")).toThrow("it is not a path");
});

test("bounds are unique, and the root is no bound", () => {
  expect(boundsInside(served, ["in", "a", "a/b"])).toEqual(["a", "a/b"]);
  expect(boundsInside(served, ["a", "."])).toEqual([]);
});

test("names with an absolute path in the repository begin at its root", () => {
  symlinkSync(root, join(folder.path, "also"));
  for (const start of [root, join(folder.path, "also")]) {
    expect(fromRoot(served, `${start}/a/b.ts`)).toBe("a/b.ts");
    expect(fromRoot(served, `${start}/none.cc:operator/`)).toBe("none.cc:operator/");
    expect(fromRoot(served, `${start}/../secret`)).toBe("../secret");
  }
  for (const typed of ["a/b.ts", "a.ts:name", root, join(folder.path, "secret"), `${root}-other/a`, `${root}/a\0`])
    expect(fromRoot(served, typed)).toBe(typed);
});

test("the end of a path of another machine is a path of the repository if it exists there", () => {
  writeFileSync(join(root, "a/c.ts"), "x");
  for (const start of ["/home/me/proj", "C:\\work", "~/proj", "file:///srv"])
    expect(fromRoot(served, `${start}/a/c.ts:name`)).toBe("a/c.ts:name");
  const members = [{ name: "one", root }];
  expect(fromRoot({ root: "/", members }, "/home/me/a/c.ts")).toBe("one/a/c.ts");
  // One name is that of many files, and what is in several repositories names none.
  for (const typed of ["/c.ts", "/home/me/c.ts", "/home/../../a/d.ts", "home/a/c.ts"])
    expect(fromRoot(served, typed)).toBe(typed);
  const twice = [...members, { name: "two", root }];
  expect(fromRoot({ root: "/", members: twice }, "/home/me/a/c.ts")).toBe("/home/me/a/c.ts");
});

test("the end of a path of another machine neither leads out of the repository nor through a link that does", () => {
  mkdirSync(join(folder.path, "far"), { recursive: true });
  writeFileSync(join(folder.path, "far/secret"), "x");
  symlinkSync(join(folder.path, "far"), join(root, "elsewhere"));
  for (const typed of ["C:/../../../far/secret", "~/../../far/secret", "/home/me/elsewhere/secret"])
    expect(fromRoot(served, typed)).toBe(typed);
});
