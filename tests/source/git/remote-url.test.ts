import { expect, test } from "bun:test";
import { chooseRemoteUrl, publicRemoteUrl } from "../../../src/source/git/config.ts";

test.each([
  ["https://github.com/a/b.git", "https://github.com/a/b.git"],
  ["https://token@github.com/a/b.git", "https://github.com/a/b.git"],
  ["https://me:pa@ss@host:8443/a", "https://host:8443/a"],
  ["https://host/a?access_token=1#x", "https://host/a"],
  ["ssh://git@host:22/a/b", "ssh://git@host:22/a/b"],
  ["ssh://git:secret@host/a", "ssh://git@host/a"],
  ["git+ssh://git@host/a", "git+ssh://git@host/a"],
  ["git@github.com:a/b.git", "git@github.com:a/b.git"],
  ["host:a/b", "host:a/b"],
  ["/home/me/a", null],
  ["../a", null],
  ["file:///home/me/a", null],
  ["C:\\Users\\me", null],
  ["", null],
])("%s", (url, expected) => {
  expect(publicRemoteUrl(url)).toBe(expected);
});

test("prefers origin, then the first name", () => {
  const [z, a, origin] = ["z", "a", "origin"].map((name) => ({ name, url: `https://host/${name}` }));
  if (z === undefined || a === undefined || origin === undefined) throw new Error("unreachable");
  expect(chooseRemoteUrl([z, origin, a])).toBe("https://host/origin");
  expect(chooseRemoteUrl([z, a])).toBe("https://host/a");
  expect(chooseRemoteUrl([])).toBeNull();
});
