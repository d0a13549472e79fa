/**
 * `cra setup --undo` gives back every byte of fifty configurations, in all files of all agents at once. Each file has every other
 * configuration of its format, and the next file those between: `tests/setup/undo.test.ts` tries all of each format.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { AGENTS } from "../../../src/setup/agents/agents.ts";
import { JSON_TEXTS, MARKDOWN_TEXTS, TOML_TEXTS, YAML_TEXTS } from "../../setup/configurations.ts";
import { tempFolder } from "../../support/folder.ts";
import { HANG_MS } from "../../support/hang.ts";
import { runHere } from "../../support/run-here.ts";

setDefaultTimeout(HANG_MS);

const ROUNDS = 25;
const IDS = AGENTS.map(({ id }) => id);
const FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  [".json", JSON_TEXTS],
  [".toml", TOML_TEXTS],
  [".yaml", YAML_TEXTS],
]);

/** Every file below with its bytes, but for cra's own state. */
function filesIn(top: string): ReadonlyMap<string, string> {
  const names = readdirSync(top, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => !name.startsWith("home/.local/") && statSync(join(top, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(top, name)).toString("base64")]));
}

/** Runs `cra setup` in the repository and home below `top`. */
async function setup(top: string, ...args: readonly string[]): Promise<string> {
  const [home, repo] = [join(top, "home"), join(top, "repo")];
  for (const folder of [home, join(repo, ".git")]) mkdirSync(folder, { recursive: true });
  const { stdout, exitCode } = await runHere(["setup", ...args], { cwd: repo, home });
  expect({ exitCode, stdout: exitCode === 0 ? "" : stdout }).toEqual({ exitCode: 0, stdout: "" });
  return stdout;
}

/** The files that agents share with their users: all that are written where there is none, without skills, which are cra's own. */
async function sharedFiles(options: readonly string[]): Promise<readonly string[]> {
  using empty = tempFolder();
  await setup(empty.path, ...IDS, ...options, "--hooks", "--yes");
  return [...filesIn(empty.path).keys()].filter((name) => basename(name) !== "SKILL.md");
}

const isText = (name: string): boolean => !FORMATS.has(extname(name));

test.each([
  ["project", [".json", ".md", ".toml"]],
  ["user", [".json", ".md", ".toml", ".yaml"]],
] as const)("for this %s, many times all files of all agents", async (scope, formats) => {
  const options = scope === "user" ? ["--user"] : [];
  const shared = await sharedFiles(options);
  for (const format of formats) expect(shared.map((name) => extname(name))).toContain(format);
  for (let round = 0; round < ROUNDS; round += 1) {
    using place = tempFolder();
    for (const [at, name] of shared.entries()) {
      const texts = FORMATS.get(extname(name)) ?? MARKDOWN_TEXTS;
      mkdirSync(dirname(join(place.path, name)), { recursive: true });
      writeFileSync(join(place.path, name), texts[2 * round + (at % 2)] ?? "");
    }
    const before = filesIn(place.path);
    await setup(place.path, ...IDS, ...options, "--hooks", "--yes");
    const written = filesIn(place.path);
    const changed = [...before].filter(([name, bytes]) => written.get(name) !== bytes).map(([name]) => name);
    // A text may import another one, which then gets cra's part.
    expect(changed.filter((name) => !isText(name))).toEqual(shared.filter((name) => !isText(name)));
    expect(changed.some(isText)).toBe(true);
    await setup(place.path, ...options, "--undo");
    expect(filesIn(place.path)).toEqual(before);
  }
});
