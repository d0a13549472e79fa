/** From nothing to the first answer in an agent: what `cra setup` wrote starts a server that answers. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { recording } from "../../scripts/recordings.ts";
import { binary } from "../support/binary.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { briefEnvironment, runCra } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";
import { canMount } from "../support/small-disk.ts";

setDefaultTimeout(HANG_MS);

const repo = shared(shopRepo());
const home = shared(tempFolder());
const bin = join(home.path, "bin");
mkdirSync(bin);
symlinkSync(await binary(), join(bin, "cra"));
const env = { ...briefEnvironment(home.path), PATH: `${bin}:${process.env.PATH ?? ""}` };

const Started = z.looseObject({ command: z.string(), args: z.array(z.string()) });
const read = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8");

/** How each agent reads the entry that it starts. */
const ENTRIES: readonly (readonly [agent: string, entry: () => unknown])[] = [
  [
    "codex",
    () =>
      z
        .looseObject({ mcp_servers: z.looseObject({ cra: z.unknown() }) })
        .parse(parseToml(read(repo.path, ".codex/config.toml"))).mcp_servers.cra,
  ],
  [
    "goose",
    () => {
      const { cmd, args } = parseYaml(read(home.path, ".config/goose/config.yaml")).extensions.cra;
      return { command: cmd, args };
    },
  ],
];

test.each(ENTRIES)("%s: one command sets it up, and its first question is answered", async (agent, entry) => {
  const user = agent === "goose" ? ["--user"] : [];
  const setUp = await runCra(["setup", agent, "--yes", ...user], {
    cwd: repo.path,
    home: home.path,
    env: { PATH: env.PATH },
  });
  expect(setUp).toMatchObject({ exitCode: 0, stderr: "" });
  const { command, args } = Started.parse(entry());
  const client = new Client({ name: agent, version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd: repo.path, env, stderr: "ignore" }));
  try {
    const { content } = await client.callTool({ name: "retrieve", arguments: { task: SHOP_TASK, budget: 900 } });
    const [answer] = content;
    expect(answer?.type === "text" ? answer.text : "").toContain("return total(self.items)");
  } finally {
    await client.close();
  }
  expect((await runCra(["setup", agent, "--undo", ...user], { cwd: repo.path, home: home.path })).exitCode).toBe(0);
});

/** What a run prints whose repository, or home, is on a disk without room, and what it leaves there. */
function runOnFullDisk(disk: "repo" | "home", ...args: readonly string[]) {
  using top = tempFolder();
  for (const name of ["repo", "home"]) mkdirSync(join(top.path, name));
  // What is there takes all room but that of a folder.
  const script = `mount -t tmpfs -o size=64k cra ${disk} && mkdir repo/.git && echo '{ }' > repo/.mcp.json &&
    { head -c 65536 /dev/zero > ${disk}/fill 2> /dev/null; cd repo; "$@"; code=$?; cat .mcp.json; cd ..; find repo home -type f | sort; exit $code; }`;
  const run = Bun.spawnSync(["unshare", "-m", "sh", "-c", script, "sh", ...args], {
    cwd: top.path,
    env: { ...env, HOME: join(top.path, "home"), XDG_STATE_HOME: "" },
  });
  const named = (text: Buffer): string => text.toString().replaceAll(top.path, "TOP");
  return { exitCode: run.exitCode, stdout: named(run.stdout), stderr: named(run.stderr) };
}

test.skipIf(!canMount())("a full disk is a failure with advice, and leaves no part of a file", () => {
  const command = [join(bin, "cra"), "setup", "claude", "--yes"];
  const repoFull = runOnFullDisk("repo", ...command);
  expect(repoFull).toMatchObject({
    exitCode: 74,
    stderr: "cra: TOP/repo/.mcp.json: no space left on the disk; free some space, then run it again\n",
  });
  expect(repoFull.stdout).toContain(".mcp.json was left alone: no space left on the disk\n");
  expect(repoFull.stdout).toEndWith("\nnothing was written\n{ }\nrepo/.mcp.json\nrepo/fill\n");
  const homeFull = runOnFullDisk("home", ...command);
  const record = "TOP/home/.local/state/cra/setup/<hash>.json: no space left on the disk";
  const withoutHash = (text: string): string => text.replace(/[0-9a-f]{32}/g, "<hash>");
  expect(homeFull.exitCode).toBe(74);
  expect(withoutHash(homeFull.stderr)).toBe(`cra: ${record}; free some space, then run it again\n`);
  expect(withoutHash(homeFull.stdout)).toContain(`.mcp.json was left alone: ${record}\n`);
  expect(homeFull.stdout).toEndWith("\nnothing was written\n{ }\nhome/fill\nrepo/.mcp.json\n");
});

test("the recording of the documentation is what the program prints", async () => {
  expect(await recording()).toBe(await Bun.file(join(import.meta.dir, "../../docs/first-answer.cast")).text());
});
