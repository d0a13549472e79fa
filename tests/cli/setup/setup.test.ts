/** `cra setup` on real files: what it shows, writes and takes out again. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AGENT_NAMES } from "../../../src/setup/agents/agent-names.ts";
import { AGENTS } from "../../../src/setup/agents/agents.ts";
import { runHere } from "../../support/run-here.ts";

const IDS = AGENTS.map(({ id }) => id);
let top = "";
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), "cra-setup-"));
  mkdirSync(join(top, "bin"));
  writeFileSync(join(top, "bin", "cra"), "", { mode: 0o755 });
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** A home and a repository with the given files. */
function place(name: string, files: Readonly<Record<string, string>>): { home: string; repo: string } {
  const [home, repo] = [join(top, name, "home"), join(top, name, "repo")];
  for (const folder of [home, join(repo, ".git")]) mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, name, path)), { recursive: true });
    writeFileSync(join(top, name, path), text);
  }
  return { home, repo };
}

/** Where it is kept how a file was. */
const recordOf = ({ home }: { home: string }, file: string): string =>
  join(home, ".local/state/cra/setup", `${createHash("sha256").update(file).digest("hex").slice(0, 32)}.json`);

/** Every file and folder below, with its bytes. */
const stateOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => (statSync(path).isFile() ? `${path} ${readFileSync(path).toString("base64")}` : path));

/** With a program of that name on the PATH. */
const run = ({ home, repo }: { home: string; repo: string }, ...args: readonly string[]) =>
  runHere(["setup", ...args], { cwd: repo, home, env: { PATH: join(top, "bin") } });

const OWN: Readonly<Record<string, string>> = {
  "repo/.mcp.json":
    '{\n  "mcpServers": {\n    "gh": { "command": "x", "env": { "TOKEN": "hunter2-hunter2" } }\n  }\n}\n',
  "repo/.codex/config.toml": 'model = "x"\nkey = "hunter2-hunter2"',
  "repo/AGENTS.md": "# Rules\r\n\r\nRun the tests.\r\n",
  "repo/CLAUDE.md": "@AGENTS.md\n",
  "repo/.vscode/mcp.json": '{ // mine\n\t"servers": {},\n}\n',
  "repo/.gemini/settings.json": '{ "context": { "fileName": "AGENTS.md" } }\n',
  "repo/opencode.jsonc": '{ "mcp": { "servers": { "a": { "type": "local", "command": ["a"] } } } }',
  "home/.config/goose/config.yaml": "extensions: # all\n  dev:\n    enabled: true\nTOKEN: hunter2-hunter2\n",
  "home/.claude.json": '{ "oauthAccount": { "accessToken": "hunter2-hunter2" }, "numStartups": 3 }',
  "home/.cursor/mcp.json": '{"mcpServers":{}}',
};

describe.each(["project", "user"] as const)("for this %s", (scope) => {
  const options = scope === "user" ? ["--user"] : [];

  test("all agents are set up once, and undone to the byte", async () => {
    const here = place(`all-${scope}`, OWN);
    const before = stateOf(dirname(here.repo));
    const preview = await run(here, ...IDS, ...options, "--hooks");
    expect(preview).toMatchObject({ exitCode: 0, stderr: "" });
    expect(preview.stdout).not.toContain("hunter2");
    expect(preview.stdout).toContain("nothing was written; to write it: cra setup");
    expect(stateOf(dirname(here.repo))).toEqual(before);

    const written = await run(here, ...IDS, ...options, "--hooks", "--yes");
    expect(written).toMatchObject({ exitCode: 0, stderr: "" });
    const after = stateOf(dirname(here.repo));
    expect(after.length).toBeGreaterThan(before.length);
    const again = await run(here, ...IDS, ...options, "--hooks", "--yes");
    expect(again.stdout).toEndWith("nothing is to be written\n");
    expect(stateOf(dirname(here.repo))).toEqual(after);

    const undone = await run(here, ...options, "--undo");
    expect(undone).toMatchObject({ exitCode: 0, stderr: "" });
    expect(undone.stdout).not.toContain("hunter2");
    expect(stateOf(dirname(here.repo)).filter((path) => !path.includes("/.local"))).toEqual([...before]);
    expect(readdirSync(join(here.home, ".local/state/cra/setup"))).toEqual([]);
    expect((await run(here, ...options, "--undo")).stdout).toStartWith("there is nothing of cra");
  });
});

test("each agent gets a server as its documentation shows it", async () => {
  const here = place("servers", {});
  await run(here, ...IDS, "--yes");
  await run(here, ...IDS, "--yes", "--user");
  const read = (path: string): string => readFileSync(join(dirname(here.repo), path), "utf8");
  const server = { command: "cra", args: ["mcp"] };
  const placed = { ...server, args: ["mcp", "--repo", "$" + "{workspaceFolder}"] };
  for (const path of [
    "repo/.mcp.json",
    "home/.claude.json",
    "repo/.gemini/settings.json",
    "repo/.kiro/settings/mcp.json",
  ])
    expect(JSON.parse(read(path))).toEqual({ mcpServers: { cra: server } });
  expect(JSON.parse(read("home/.codeium/windsurf/mcp_config.json"))).toEqual({ mcpServers: { cra: server } });
  expect(JSON.parse(read("repo/.cursor/mcp.json"))).toEqual({ mcpServers: { cra: placed } });
  expect(JSON.parse(read("repo/.vscode/mcp.json"))).toEqual({ servers: { cra: { type: "stdio", ...placed } } });
  expect(JSON.parse(read("repo/opencode.json"))).toEqual({ mcp: { cra: { type: "local", command: ["cra", "mcp"] } } });
  expect(JSON.parse(read("repo/.zed/settings.json"))).toEqual({ context_servers: { cra: { ...server, env: {} } } });
  expect(JSON.parse(read("repo/.amp/settings.json"))).toEqual({ "amp.mcpServers": { cra: server } });
  expect(JSON.parse(read("home/.copilot/mcp-config.json"))).toEqual({
    mcpServers: { cra: { type: "stdio", ...server, tools: ["*"] } },
  });
  expect(read("repo/.codex/config.toml")).toBe(
    '[mcp_servers.cra]\ncommand = "cra"\nargs = ["mcp"]\ntool_timeout_sec = 300\n',
  );
  expect(read("home/.config/goose/config.yaml")).toStartWith("extensions:\n  cra:\n    name: cra\n    type: stdio\n");
});

test("without names, only agents that are there are set up", async () => {
  const here = place("found", { "home/.codex/auth.json": "secret", "repo/.cursor/rules/a.mdc": "" });
  const { stdout } = await run(here, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ agents: ["codex", "cursor"], written: false });
  const none = await run(place("none", {}), "--json");
  expect(JSON.parse(none.stdout)).toMatchObject({ agents: [], files: [] });
});

test("changes of others since then stay when it is undone", async () => {
  const here = place("meanwhile", OWN);
  await run(here, "claude", "codex", "--yes");
  const file = join(here.repo, ".mcp.json");
  writeFileSync(file, readFileSync(file, "utf8").replace('"gh"', '"github"'));
  writeFileSync(join(here.repo, "AGENTS.md"), `${readFileSync(join(here.repo, "AGENTS.md"), "utf8")}More.\r\n`);
  expect((await run(here, "--undo")).exitCode).toBe(0);
  expect(readFileSync(file, "utf8")).toBe((OWN["repo/.mcp.json"] ?? "").replace('"gh"', '"github"'));
  expect(readFileSync(join(here.repo, "AGENTS.md"), "utf8")).toBe("# Rules\r\n\r\nRun the tests.\r\nMore.\r\n");
});

test("a link that leads out of the repository is not followed", async () => {
  const here = place("links", { "home/.bashrc": "# mine\n", "home/outside/x": "" });
  symlinkSync(join(here.home, ".bashrc"), join(here.repo, "AGENTS.md"));
  symlinkSync(join(here.home, "outside"), join(here.repo, ".codex"));
  const { stdout, exitCode } = await run(here, "codex", "--yes");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("left alone: a link leads out of the repository");
  expect(readFileSync(join(here.home, ".bashrc"), "utf8")).toBe("# mine\n");
  expect(readdirSync(join(here.home, "outside"))).toEqual(["x"]);
});

test("a file that is not what it should be is left alone, and the others are written", async () => {
  const here = place("broken", { "repo/.mcp.json": "{ broken", "repo/CLAUDE.md": "" });
  writeFileSync(join(here.repo, "CLAUDE.md"), new Uint8Array([0xff, 0xfe]));
  const { stdout, exitCode } = await run(here, "claude", "--yes");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("left alone: it is not JSON (line 1)");
  expect(stdout).toContain("left alone: it is not UTF-8");
  expect(readFileSync(join(here.repo, ".mcp.json"), "utf8")).toBe("{ broken");
  expect(readdirSync(join(here.repo, ".claude/skills/cra"))).toEqual(["SKILL.md"]);
});

test("what cra never changed and cannot read has nothing to take out; what it changed is said to stay", async () => {
  const broken = {
    "repo/.mcp.json": "{ broken, /home/cracker/x",
    "home/outside.md": "",
    "repo/.codex/config.toml": "x = [",
  };
  const here = place("foreign", broken);
  symlinkSync(join(here.home, "outside.md"), join(here.repo, "CLAUDE.md"));
  await run(here, "cursor", "--yes");
  const undone = await run(here, "--undo");
  expect(undone.exitCode).toBe(0);
  expect(undone.stdout).not.toContain("left alone");
  const file = join(here.repo, ".cursor/mcp.json");
  for (const text of ["{ broken", '{ broken "mcpServers": { "cra": { "command": "cra", "args": ["mcp"] } }']) {
    await run(here, "cursor", "--yes");
    writeFileSync(file, text);
    const { stdout, exitCode } = await run(here, "--undo");
    expect(exitCode).toBe(1);
    expect(stdout).toContain(".cursor/mcp.json was left alone: it is not JSON");
    rmSync(join(here.home, ".local"), { recursive: true, force: true });
    const { exitCode: unknown } = await run(here, "--undo");
    expect(unknown).toBe(text.includes("cra") ? 1 : 0);
    rmSync(file);
  }
});

test.each([
  ["a pipe", (record: string) => void Bun.spawnSync(["mkfifo", record])],
  ["a file of any size", (record: string) => [writeFileSync(record, ""), truncateSync(record, 2 ** 28 + 1)]],
])("nothing is changed where %s is in the place of the record of what was there", async (what, put) => {
  const here = place(what, { "repo/.mcp.json": "{}\n" });
  const file = join(realpathSync(here.repo), ".mcp.json");
  const record = recordOf(here, file);
  mkdirSync(dirname(record), { recursive: true });
  put(record);
  const { stdout, exitCode } = await run(here, "claude", "--yes");
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringContaining(".mcp.json was left alone: the record of its changes: "),
  ]);
  expect(readFileSync(file, "utf8")).toBe("{}\n");
});

test("a file that is read-only is left alone", async () => {
  const here = place("read-only", { "repo/.mcp.json": "{}\n" });
  const file = join(here.repo, ".mcp.json");
  chmodSync(file, 0o444);
  const { stdout, exitCode } = await run(here, "claude", "--yes");
  expect(exitCode).toBe(1);
  expect(stdout).toContain(".mcp.json was left alone: it is read-only\n");
  expect(readFileSync(file, "utf8")).toBe("{}\n");
  chmodSync(file, 0o644);
  await run(here, "claude", "--yes");
  chmodSync(file, 0o444);
  const undone = await run(here, "--undo");
  expect(undone.exitCode).toBe(1);
  expect(undone.stdout).toContain(".mcp.json was left alone: it is read-only\n");
  expect(readFileSync(file, "utf8")).toContain("cra");
  chmodSync(file, 0o644);
  expect((await run(here, "--undo")).exitCode).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("{}\n");
});

test("a file that cannot be written is left alone, and the others are written and undone", async () => {
  const here = place("unwritable", { "repo/.codex/config.toml": 'model = "x"\n' });
  // Nothing is changed without a record of what was there, and a folder is in the place of that record.
  const file = join(realpathSync(here.repo), ".codex/config.toml");
  const record = recordOf(here, file);
  mkdirSync(record, { recursive: true });
  const before = stateOf(here.repo);
  const { stdout, exitCode } = await run(here, "claude", "codex", "cursor", "--yes");
  expect(exitCode).toBe(1);
  expect(stdout).toContain(".codex/config.toml was left alone: the record of its changes: not a regular file\n");
  expect(stdout).toContain("to undo it: cra setup --undo");
  for (const path of [".mcp.json", ".cursor/mcp.json"])
    expect(readFileSync(join(here.repo, path), "utf8")).toContain('"cra"');
  expect(readFileSync(file, "utf8")).toBe('model = "x"\n');
  rmSync(record, { recursive: true });
  expect((await run(here, "--undo")).exitCode).toBe(0);
  expect(stateOf(here.repo)).toEqual(before);
});

test("the command that writes what was shown names the project and the hooks", async () => {
  const here = place("from elsewhere", {});
  const { stdout } = await runHere(["setup", "claude", "--repo", here.repo, "--hooks"], { cwd: top, home: here.home });
  const [, line = ""] = /to write it: cra (.*)/.exec(stdout) ?? [];
  expect(line).toBe(`setup claude --repo '${here.repo}' --hooks --yes`);
  const user = await run(here, "claude", "--user", "--repo", here.repo);
  expect(user.stdout).toEndWith("to write it: cra setup claude --user --yes\n");
});

test("where no file can be written, no command is said to write it", async () => {
  const here = place("full", {});
  for (const path of [".zed/settings.json", "AGENTS.md", ".agents/skills/cra/SKILL.md"])
    mkdirSync(recordOf(here, join(realpathSync(here.repo), path)), { recursive: true });
  const { stdout, exitCode } = await run(here, "zed", "--yes");
  expect(exitCode).toBe(1);
  expect(stdout).toEndWith("\nnothing was written\n");
});

test("without cra on the PATH, a project names it all the same, and the user is told", async () => {
  const here = place("path", {});
  const { stderr } = await runHere(["setup", "zed", "--yes"], {
    cwd: here.repo,
    home: here.home,
    env: { PATH: "/none" },
  });
  expect(stderr).toBe("cra: note: cra is not on your PATH, where agents look for it\n");
  expect(readFileSync(join(here.repo, ".zed/settings.json"), "utf8")).toContain('"command": "cra"');
});

test("a home folder is no project, and a folder that is not there is said so", async () => {
  const here = place("home", {});
  const home = await runHere(["setup", "zed", "--yes"], { cwd: here.home, home: here.home });
  expect(home).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("it is no project; run cra setup in a project"),
  });
  const none = await run(here, "zed", "--repo", "none");
  expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("there is no such folder") });
  expect(readdirSync(here.home)).toEqual([]);
});

test("an unknown agent is refused with the names that are known, also behind one that is known", async () => {
  expect(AGENTS.map(({ id }) => id)).toEqual([...AGENT_NAMES]);
  const { stderr, exitCode } = await run(place("unknown", {}), "claude", "frob");
  expect(exitCode).toBe(2);
  expect(stderr).toContain('agent: "frob" is not one of claude, codex');
});

test("cra doctor says whether each agent is in order", async () => {
  const here = place("doctor", {});
  await run(here, "claude", "codex", "--yes");
  rmSync(join(here.repo, "AGENTS.md"));
  const { stdout } = await runHere(["doctor"], { cwd: here.repo, home: here.home });
  expect(stdout).toContain("claude, for this project: in order\n");
  expect(stdout).toContain("codex, for this project: AGENTS.md lacks cra's part; run: cra setup codex\n");
  expect(stdout).not.toContain("cursor");
  const elsewhere = await runHere(["doctor", "--repo", here.repo], { cwd: top, home: here.home });
  expect(elsewhere.stdout).toContain(`run: cra setup --repo ${here.repo} codex\n`);
});

test("cra doctor names the user's own settings, for programs too", async () => {
  const here = place("doctor of a user", {});
  await run(here, "claude", "--user", "--yes");
  rmSync(join(here.home, ".claude/CLAUDE.md"));
  const { stdout } = await runHere(["doctor", "--json", "--repo", here.repo], { cwd: top, home: here.home });
  expect(JSON.parse(stdout)).toMatchObject({
    agents: [{ scope: "user", message: expect.stringMatching(/run: cra setup claude --user$/) }],
  });
});

test("what was there before is kept where only the user can read it", async () => {
  const here = place("kept", OWN);
  await run(here, "claude", "--yes");
  const kept = join(here.home, ".local/state/cra/setup");
  expect(statSync(kept).mode & 0o777).toBe(0o700);
  const names = readdirSync(kept);
  expect(names).toHaveLength(3);
  for (const name of names) expect(statSync(join(kept, name)).mode & 0o777).toBe(0o600);
});

test("what was set up before and after an edit of the user's is undone at once", async () => {
  const where = place("edited", {});
  await run(where, "gemini", "--yes");
  const path = join(where.repo, ".gemini/settings.json");
  writeFileSync(path, readFileSync(path, "utf8").replace("{\n", '{\n  "theme": "dark",\n'));
  await run(where, "gemini", "--hooks", "--yes");
  expect(readFileSync(path, "utf8")).toContain("cra hook");
  expect(await run(where, "--undo")).toMatchObject({ exitCode: 0 });
  const left = readFileSync(path, "utf8");
  expect(left).toContain('"theme": "dark"');
  expect(left).not.toContain("cra");
});

test("an edit outside of what was added does not keep the next setup from being undone to the byte", async () => {
  const where = place("appended", { "repo/AGENTS.md": "# Rules\n" });
  await run(where, "codex", "--yes");
  const path = join(where.repo, "AGENTS.md");
  const edited = `${readFileSync(path, "utf8")}\n## Mine\n`;
  writeFileSync(path, edited.replace("# Rules", "# The rules"));
  await run(where, "gemini", "codex", "--yes");
  expect(await run(where, "--undo")).toMatchObject({ exitCode: 0 });
  expect(readFileSync(path, "utf8")).toBe("# The rules\n\n## Mine\n");
});

test("a link into git's folder is left alone", async () => {
  const where = place("git-link", { "repo/.git/config": "[core]\n" });
  symlinkSync(".git/config", join(where.repo, "CLAUDE.md"));
  const { stdout } = await run(where, "claude", "--yes");
  expect(stdout).toContain("a link leads into git's folder");
  expect(readFileSync(join(where.repo, ".git/config"), "utf8")).toBe("[core]\n");
});
