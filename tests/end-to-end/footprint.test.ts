/** A run depends only on the repository, the task and the options, and writes only its own data. */
import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { listing, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { SHOP_FILES, SHOP_TASK, shopRepo } from "../support/shop.ts";

/** The package in the format that holds all of it, from a repository that is indexed as it is. */
async function packed(cwd: string, format = "json", ...args: readonly string[]): Promise<string> {
  const command = ["retrieve", SHOP_TASK, "--format", format, "-q", ...args];
  const { exitCode, stdout, stderr } = await runHere(command, { cwd });
  return exitCode === 0 && stderr === "" ? stdout : `${exitCode} ${stderr}`;
}
/** In those that are rendered from it. */
const rendered = (cwd: string): Promise<readonly string[]> =>
  Promise.all(["prompt", "bundle"].map((format) => packed(cwd, format, "--no-refresh")));
const index = async (cwd: string, ...args: readonly string[]): Promise<void> => {
  expect(await runCra(["index", "-q", ...args], { cwd })).toMatchObject({ exitCode: 0, stderr: "" });
};

test(
  "the same bytes in another place, after a rebuild of the index, and with files created in another order",
  async () => {
    using repo = shopRepo();
    using elsewhere = tempFolder();
    await index(repo.path);
    const first = await packed(repo.path);
    const firstRendered = await rendered(repo.path);
    for (const text of [first, ...firstRendered]) {
      expect(text).toContain("shop/cart.py");
      expect(text).not.toContain(repo.path);
    }
    expect(await packed(repo.path, "json", "--no-refresh")).toBe(first);

    rmSync(join(repo.path, ".cra"), { recursive: true });
    await indexIn(repo);
    expect(await packed(repo.path)).toBe(first);

    const clone = join(elsewhere.path, "a clone");
    repo.git("clone", "--quiet", repo.path, clone);
    await indexIn({ path: clone });
    expect(await packed(clone)).toBe(first);

    const reversed = join(elsewhere.path, "reversed");
    mkdirSync(reversed);
    for (const path of repo.git("ls-files").trim().split("\n").reverse()) {
      mkdirSync(dirname(join(reversed, path)), { recursive: true });
      writeFileSync(join(reversed, path), new Uint8Array(await Bun.file(join(repo.path, path)).arrayBuffer()));
    }
    cpSync(join(repo.path, ".git"), join(reversed, ".git"), { recursive: true });
    await indexIn({ path: reversed });
    expect(await packed(reversed)).toBe(first);
    expect(await rendered(reversed)).toEqual(firstRendered);
  },
  HANG_MS,
);

/** The folders of cra in a repository. */
const OWN = [".cra", ".git/cra"];

describe("writes nothing outside its own folders", () => {
  test("leaves the repository, the home folder, the working folder and the user's other folders unchanged", async () => {
    using repo = shopRepo();
    using home = tempFolder();
    using work = tempFolder();
    const user = Object.fromEntries(
      ["CONFIG", "STATE", "DATA", "CACHE"].map((name) => [`XDG_${name}_HOME`, join(home.path, name)]),
    );
    for (const path of Object.values(user)) mkdirSync(path);
    const options = {
      cwd: work.path,
      home: home.path,
      env: { ...user, XDG_RUNTIME_DIR: home.path, TMPDIR: home.path },
    };
    repo.git("status");
    const before = [listing(repo.path, OWN), listing(home.path)];
    const at = ["--repo", repo.path];
    const taskId = /cra explain (\w+)/;
    const commands: readonly (readonly string[])[] = [
      ["index", ...at, "-v"],
      ["status", ...at],
      ["search", "cart", ...at],
      ["config", "--explain", ...at],
      ["completions", "bash"],
      ["schema"],
    ];
    for (const args of commands) expect(await runCra(args, options)).toMatchObject({ exitCode: 0 });
    const run = await runCra(["retrieve", SHOP_TASK, ...at, "-v", "-o", "out.md"], options);
    expect(run.exitCode).toBe(0);
    const [, id = ""] = taskId.exec(run.stderr) ?? [];
    expect(await runCra(["explain", id, ...at], options)).toMatchObject({ exitCode: 0 });
    // The top folder's own time says that `.cra` came.
    expect([listing(repo.path, OWN), listing(home.path)]).toEqual(before);
    expect(readdirSync(work.path)).toEqual(["out.md"]);
    expect(repo.git("status", "--porcelain", "--untracked-files=all")).toBe("");
  });

  test("a command that fails or only reads writes nothing at all", async () => {
    using repo = tempRepo(SHOP_FILES);
    const before = listing(repo.path);
    for (const args of [
      ["status"],
      ["search", "x", "--no-quick"],
      ["retrieve", "x", "--no-quick"],
      ["explain", "0123456789ab"],
      ["retrieve", "x", "--index", "--budget", "x"],
    ])
      await runCra(args, { cwd: repo.path });
    expect(listing(repo.path)).toEqual(before);
  });

  test("with --data-dir, writes nothing in the repository", async () => {
    using repo = tempRepo(SHOP_FILES);
    using data = tempFolder();
    const before = listing(repo.path);
    await index(repo.path, "--data-dir", join(data.path, "deep/er"));
    const run = await runCra(["retrieve", SHOP_TASK, "-q"], {
      cwd: repo.path,
      env: { CRA_DATA_DIR: join(data.path, "deep/er") },
    });
    expect([run.exitCode, run.stdout.includes("shop/cart.py")]).toEqual([0, true]);
    expect(listing(repo.path)).toEqual(before);
  });
});
