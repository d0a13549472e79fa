/** Configuration files on a real disk: what is read, and how a hostile file is refused. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CONFIG_BYTES_MAX,
  loadConfig,
  readBudgetFile,
  readConfigFile,
  userConfigPath,
} from "../../src/config/read-files.ts";
import { failureLine } from "../support/failure.ts";
import { tempFolder } from "../support/folder.ts";
import { shared } from "../support/shared.ts";

const folder = shared(tempFolder()).path;

const failure = (work: () => unknown): string => failureLine(work).replaceAll(folder, "");

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test("all layers are merged, and paths are relative to the user's file", () => {
  const root = join(folder, "repo");
  mkdirSync(join(root), { recursive: true });
  mkdirSync(join(folder, "xdg", "cra"), { recursive: true });
  writeFileSync(join(root, ".cra.toml"), 'scope_size = 11\n[index]\nignore = ["*.snap"]\n[weights]\nmention = 2.0\n');
  writeFileSync(join(folder, "xdg", "cra", "config.toml"), 'template = "t.md"\nscope_size = 12\n');
  const { settings } = loadConfig({
    flags: [],
    variables: { XDG_CONFIG_HOME: join(folder, "xdg"), CRA_DEPTH: "2" },
    root,
  });
  expect([settings.scope_size, settings.depth, settings["index.ignore"], settings.weights, settings.template]).toEqual([
    11,
    2,
    ["*.snap"],
    { mention: 2 },
    join(folder, "xdg", "cra", "t.md"),
  ]);
});

test("a path in a variable is relative to the current folder, as a typed one", () => {
  const variables = { CRA_TEMPLATE: "t.md", CRA_DATA_DIR: "../data" };
  const { settings } = loadConfig({ flags: [], variables, root: null, cwd: join(folder, "here") });
  expect([settings.template, settings.data_dir]).toEqual([join(folder, "here", "t.md"), join(folder, "data")]);
});

describe("files that are refused", () => {
  const cases: readonly (readonly [string, () => string, string])[] = [
    ["bad TOML, with its place", () => file("a", "budget = 1\ndepth = = 2\n"), "config: /a:2:9: "],
    ["a file of binary", () => file("b", new Uint8Array([0xff, 0xfe, 0x00])), "config: /b: is not UTF-8"],
    ["a file that is too large", () => file("c", "#".repeat(CONFIG_BYTES_MAX + 1)), "is larger than 65536 bytes"],
    [
      "a link",
      () => {
        symlinkSync("/etc/passwd", join(folder, "d"));
        return join(folder, "d");
      },
      "config: /d: is a symbolic link",
    ],
    [
      "a folder",
      () => {
        mkdirSync(join(folder, "e"));
        return join(folder, "e");
      },
      "config: /e: is not a regular file",
    ],
    [
      "a pipe, without waiting for a writer",
      () => {
        Bun.spawnSync(["mkfifo", join(folder, "f")]);
        return join(folder, "f");
      },
      "config: /f: is not a regular file",
    ],
    ["a prototype key", () => file("g", "__proto__ = 1\n"), 'unknown key "__proto__"'],
    [
      "a template outside",
      () => file("h", 'template = "../../etc/passwd"\n'),
      '"template" cannot be set by a repository',
    ],
    ["the same key twice", () => file("i", "depth = 1\ndepth = 2\n"), "config: /i:2"],
    ["very deep nesting", () => file("j", `depth = ${"[".repeat(20_000)}`), "config: /j"],
    ["a huge integer", () => file("k", "budget = 99999999999999999999\n"), "config: /k"],
    ["a date", () => file("l", "budget = 2020-01-01\n"), 'config: /l: "budget"'],
  ];
  test.each(cases)("%s", (_, make, expected) => {
    const path = make();
    const said = failure(() => readConfigFile("repository", path));
    expect(said).toContain(expected);
    expect(said).not.toContain("\n");
  });
});

test("a missing file is an empty layer; the user's file may be a link", () => {
  expect(readConfigFile("repository", join(folder, "none"))).toBeNull();
  file("real.toml", "depth = 3\n");
  symlinkSync("real.toml", join(folder, "link.toml"));
  expect(readConfigFile("user", join(folder, "link.toml"))?.entries.get("depth")?.value).toBe(3);
});

test("the path of the user's file", () => {
  expect(userConfigPath({ XDG_CONFIG_HOME: "/x", HOME: "/h" })).toBe("/x/cra/config.toml");
  expect(userConfigPath({ XDG_CONFIG_HOME: "relative", HOME: "/h" })).toBe("/h/.config/cra/config.toml");
  expect(userConfigPath({})).toBeNull();
});

describe("--budget-config", () => {
  test("gives its three keys", () => {
    const path = file("ok.json", '{"context_window": 100, "reserved_tokens": 10, "safety_margin": 0.5}');
    expect([...readBudgetFile(path)].map(([key, { value }]) => [key, value])).toEqual([
      ["context_window", 100],
      ["reserved_tokens", 10],
      ["safety_margin", 0.5],
    ]);
  });
  test.each([
    ["{", "is not valid JSON"],
    ["[]", "is not a JSON object"],
    ['{"context_window": 100}', "reserved_tokens must be a whole number of tokens"],
    ['{"context_window": 100, "reserved_tokens": 100}', "reserved_tokens must be less than context_window"],
    [
      '{"context_window": 100, "reserved_tokens": 1, "safety_margin": 0.6}',
      "safety_margin must be a number from 0 to 0.5",
    ],
    ['{"context_window": 1.5, "reserved_tokens": 1}', "context_window must be a whole number of tokens"],
    [
      '{"context_window": 0, "reserved_tokens": 0}',
      "context_window must be a whole number of tokens from 1 to 10000000",
    ],
    [
      '{"context_window": 9, "reserved_tokens": -1}',
      "reserved_tokens must be a whole number of tokens from 0 to 10000000",
    ],
    [
      '{"context_window": 100, "reserved_token": 1, "reserved_tokens": 1}',
      'unknown key "reserved_token"; did you mean "reserved_tokens"?',
    ],
    ['{"context_window": 100, "reserved_tokens": 1, "__proto__": {}}', 'unknown key "__proto__"'],
    [" ".repeat(CONFIG_BYTES_MAX + 1), "is larger than"],
  ])("refuses %p", (content, expected) => {
    const path = file("bad.json", content);
    expect(failure(() => readBudgetFile(path))).toContain(expected);
  });
  test("names a missing file", () => {
    expect(failure(() => readBudgetFile(join(folder, "none.json")))).toBe(
      "config: /none.json: there is no such file; correct --budget-config",
    );
  });
});
