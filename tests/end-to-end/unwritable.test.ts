/** A data folder that may not be written: questions are answered as ever, and say that nothing is recorded. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { AS_USER, canBeUser, giveToUser } from "../support/other-user.ts";
import { tempRepo } from "../support/repo.ts";
import { runShell } from "../support/run-cra.ts";

setDefaultTimeout(HANG_MS);

/** A repository of the user, and cra in it with its data in `data`. */
function place() {
  const repo = tempRepo({
    "cart.py": "def cart(): return price()\n\n\ndef price(): return 1\n",
    "till.py": "from cart import cart\n\n\ndef till(): return cart()\n",
  });
  const home = tempFolder();
  const around = tempFolder();
  for (const { path } of [repo, home, around]) giveToUser(path);
  const data = join(around.path, "data");
  const shell = (lines: string) => runShell(lines, { cwd: repo.path, home: home.path });
  return {
    around: around.path,
    home: home.path,
    data,
    shell,
    cra: (words: string) => shell(`${AS_USER}"$CRA" ${words} --data-dir ${data}`),
    [Symbol.dispose]() {
      Bun.spawnSync(["chmod", "-R", "u+w", around.path]);
      for (const one of [repo, home, around]) one[Symbol.dispose]();
    },
  };
}

const unrecorded = (path: string): string =>
  `cra: note: this answer is not recorded, so refine and explain do not know it (${path}: permission denied)\n`;

const call = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

describe.skipIf(!canBeUser)("a data folder that may not be written", () => {
  test("with an index answers as one that may, and names no command that would not know the answer", async () => {
    using at = place();
    await at.cra("index -q");
    const before = await at.cra("retrieve cart");
    const [, id = ""] = /cra explain ([0-9a-f]+)/.exec(before.stderr) ?? [];
    await at.shell(`cp -r ${at.data} ${at.data}.kept && chmod -R a-w ${at.data}`);
    const retrieved = await at.cra("retrieve cart");
    const refined = await at.cra(`refine ${id} --reject till.py`);
    const files = await at.shell(`diff -r ${at.data} ${at.data}.kept`);
    await at.shell(`chmod -R u+w ${at.data}`);
    const recorded = await at.cra(`refine ${id} --reject till.py`);
    expect(retrieved.stderr).not.toContain("cra explain");
    expect(retrieved).toMatchObject({
      exitCode: 0,
      stdout: before.stdout,
      stderr: expect.stringContaining(unrecorded(at.data)),
    });
    expect(refined).toMatchObject({ exitCode: 0, stdout: recorded.stdout });
    expect(files.stdout).toBe("");
  });

  test("without an index gives a first answer", async () => {
    using at = place();
    chmodSync(at.around, 0o500);
    const retrieved = await at.cra("retrieve cart");
    expect(retrieved).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("### cart.py") });
    expect(retrieved.stderr).toContain(unrecorded(at.data));
    expect(await at.cra("search cart")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("cart.py:1") });
  });

  test("in part, such as by a run of somebody else, is not recorded in at all", async () => {
    using at = place();
    await at.cra("index -q");
    const log = join(at.data, "raw.sqlite");
    await at.shell(`chmod a-w ${log}`);
    const retrieved = await at.cra("retrieve cart");
    expect(retrieved).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(unrecorded(log)) });
  });

  test("writes a recorded round as a page, and refuses a round that asks for nothing, as one that may", async () => {
    using at = place();
    await at.cra("index -q");
    const [, id = ""] = /cra explain ([0-9a-f]+)/.exec((await at.cra("retrieve cart")).stderr) ?? [];
    const page = (name: string) => `report ${id} -o ${at.home}/${name}.html`;
    const [before, nothing] = [await at.cra(page("before")), await at.cra(`refine ${id}`)];
    await at.shell(`chmod -R a-w ${at.data}`);
    const reported = await at.cra(page("after"));
    expect(before.exitCode).toBe(0);
    expect(reported).toMatchObject({ exitCode: 0, stdout: before.stdout });
    expect(nothing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("nothing is asked for") });
    expect(await at.cra(`refine ${id}`)).toMatchObject({ exitCode: 2, stderr: nothing.stderr });
  });

  test("in one session only has its rounds recorded in the log", async () => {
    using at = place();
    await at.cra("index -q");
    const before = await at.cra("retrieve cart");
    const [, id = ""] = /cra explain ([0-9a-f]+)/.exec(before.stderr) ?? [];
    const session = join(at.data, "sessions", `${id}.sqlite`);
    await at.shell(`chmod a-w ${session}`);
    const again = await at.cra("retrieve cart");
    const refined = await at.cra(`refine ${id} --reject till.py`);
    await at.shell(`chmod u+w ${session}`);
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: before.stdout,
      stderr: expect.stringContaining(`explain ${id}`),
    });
    expect(refined.exitCode).toBe(0);
    expect(refined.stdout).not.toContain("till.py");
    expect((await at.cra(`log ${id}`)).stdout).toContain("round        3, finished");
  });

  test("is told to agents with what they can do instead of refining", async () => {
    using at = place();
    await at.cra("index -q");
    await at.shell(`chmod -R a-w ${at.data}`);
    const calls = [
      call(1, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      }),
      call(2, "tools/call", { name: "retrieve", arguments: { task: "cart" } }),
    ];
    await Bun.write(join(at.home, "calls"), calls.join(""));
    const { stdout } = await at.cra(`mcp < ${at.home}/calls`);
    expect(stdout).toContain("Note: this answer is not recorded");
    expect(stdout).toContain("is missing or wrong: retrieve the same task with hint_paths or hint_symbols.");
  });

  test("refuses an index run and says why", async () => {
    using at = place();
    await at.cra("index -q");
    await at.shell(`chmod -R a-w ${at.data}`);
    expect(await at.cra("index")).toMatchObject({
      exitCode: 74,
      stderr: `cra: ${at.data}: cannot store data here: permission denied; choose another folder with --data-dir\n`,
    });
  });

  test("and not be entered either, as one of somebody else, is refused with a reason", async () => {
    using at = place();
    await at.cra("index -q");
    chmodSync(at.data, 0o000);
    const reason = `cra: ${at.data}: cannot store data here: permission denied; choose another folder with --data-dir\n`;
    for (const words of ["status", "retrieve cart", "search cart", "index"])
      expect([words, await at.cra(words)]).toEqual([words, expect.objectContaining({ exitCode: 74, stderr: reason })]);
    chmodSync(at.data, 0o700);
  });
});
