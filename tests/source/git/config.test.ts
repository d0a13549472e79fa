import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { isOn, lastValue, parseGitConfig, readGitConfig, remotesIn } from "../../../src/source/git/config.ts";
import { git, temporaryFolder } from "../fixture.ts";

/** What git reads; null when it refuses the file. */
function byGit(text: string): readonly { readonly key: string; readonly value: string | null }[] | null {
  using folder = temporaryFolder({ config: text });
  try {
    const entries = git(folder.path, ["config", "--file", "config", "--list", "-z"]).split("\0").slice(0, -1);
    return entries.map((entry) => {
      const end = entry.indexOf("\n");
      return end < 0 ? { key: entry, value: null } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
    });
  } catch {
    return null;
  }
}

const TEXTS = [
  "",
  "[core]\n\tbare = false\n\tIgnoreCase=true\n",
  '[remote "origin"]\n\turl = https://example.org/a.git\n\tfetch = +refs/*:refs/*\n[Remote "UPPER"] URL = x',
  '[a "sub\\"quoted\\\\"]\nk = 1\n[a.B]\nk = 2\n[a-b ""]\nk=3\n',
  "[a]\nflag\nother \n# comment\n; comment\nlast",
  '[a]\nk = "  quoted " and  not   ; comment\nk2 = a\\\nb \\\n c\nk3 = "tab\\t line\\n back\\b \\\\ \\""\nk4 = "#;"#x\nk5 =\nk6 = ""',
  "[a]\r\nk = v\r\n[b]\r\nk = x \\\r\ny\r\n",
  "\u{feff}[a]\nk = é\n",
  "[a]k=1\n[b]   \t k = 2 3 4 \t\n",
  "[a]\nk = ~/x\nk = /abs\nk = a=b\n",
];

test("parses configuration like git", () => {
  for (const text of TEXTS) expect([text, parseGitConfig(text)]).toEqual([text, [...(byGit(text) ?? [])]]);
});

test("a malformed file counts up to its error", () => {
  for (const bad of [
    "[a",
    "k = v",
    "[a]\n1k = v",
    '[a "x]\n',
    "[a]\nk = \\q",
    '[a]\nk = "open',
    "[a]\nk ! v",
    "[a]\nk # no",
    "[a b]\n",
  ]) {
    const text = `[good]\nk = 1\n${bad}\n[late]\nk = 2\n`;
    expect([bad, byGit(text)]).toEqual([bad, bad === "k = v" ? expect.anything() : null]);
    expect(parseGitConfig(text)[0]).toEqual({ key: "good.k", value: "1" });
    expect(parseGitConfig(text).length).toBeLessThanOrEqual(3);
  }
});

test("property: parses values like git", () => {
  const piece = fc.constantFrom("a", "b c", " ", '"', "\\\\", '\\"', "\\n", "\\\n", "#", ";", "=", "é", "  ");
  fc.assert(
    fc.property(fc.array(fc.array(piece, { maxLength: 6 }), { minLength: 1, maxLength: 20 }), (values) => {
      const lines = values
        .map((pieces, at) => `[s]\nk${at} = ${pieces.join("")}\n`)
        .filter((line) => byGit(line) !== null);
      expect(parseGitConfig(lines.join(""))).toEqual([...(byGit(lines.join("")) ?? [])]);
    }),
    { numRuns: 6, seed: 3 },
  );
});

test("booleans, last values, remotes, and invalid files", () => {
  const on = ["true", "YES", "on", "1", "-2", "+3", null];
  expect(on.map(isOn)).toEqual(on.map(() => true));
  for (const value of ["false", "no", "off", "0", "", "00", "perhaps", undefined]) expect(isOn(value)).toBe(false);
  const entries = parseGitConfig(
    '[a]\nk=1\nk\n[remote "x.y"]\nurl=1\nurl=2\npushurl=3\n[remote]\nurl=4\n[remote "a"]\nurl\n',
  );
  expect([lastValue(entries, "a.k"), lastValue(entries, "a.none")]).toEqual([null, undefined]);
  expect(remotesIn(entries)).toEqual([
    { name: "x.y", url: "1" },
    { name: "x.y", url: "2" },
  ]);
  using folder = temporaryFolder({ "there/x": "" });
  Bun.spawnSync(["mkfifo", join(folder.path, "pipe")]);
  for (const path of ["there", "missing", "pipe"]) expect(readGitConfig(join(folder.path, path))).toEqual([]);
});
