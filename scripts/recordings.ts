/**
 * Records the way from nothing to the first answer in an agent, as an asciicast: two commands on a real project.
 *
 * The agent is the official MCP client, started as the file that `cra setup` wrote says. `--check` writes nothing and exits with 1
 * when the recording differs from what the program prints now. Times are made up, so that the same program gives the same file.
 */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { binary } from "../tests/support/binary.ts";
import { tempFolder } from "../tests/support/folder.ts";
import { cleanEnvironment, runCra } from "../tests/support/run-cra.ts";
import { SHOP_TASK, shopRepo } from "../tests/support/shop.ts";

const FILE = join(import.meta.dir, "../docs/first-answer.cast");
const SIZE = { width: 110, height: 40 };
const [TYPED_S, LINE_S, PAUSE_S] = [0.05, 0.04, 1.2];
/** Lines of an output that are shown; the rest is counted. */
const LINES_MAX = 34;

const Servers = z.object({
  mcpServers: z.object({ cra: z.object({ command: z.string(), args: z.array(z.string()) }) }),
});

const PLAYED = "(The agent is played by the official MCP client, started as .mcp.json says.)\n";

/** The recording as text. */
export async function recording(): Promise<string> {
  using repo = shopRepo();
  using home = tempFolder();
  const bin = join(home.path, "bin");
  mkdirSync(bin);
  symlinkSync(await binary(), join(bin, "cra"));
  const env = { ...cleanEnvironment(home.path), PATH: `${bin}:/usr/bin:/bin` };
  const setUp = await runCra(["setup", "claude", "--yes"], {
    cwd: repo.path,
    home: home.path,
    env: { PATH: env.PATH },
  });
  if (setUp.exitCode !== 0) throw new Error(setUp.stderr);
  const { command, args } = Servers.parse(JSON.parse(readFileSync(join(repo.path, ".mcp.json"), "utf8"))).mcpServers
    .cra;
  const client = new Client({ name: "recording", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd: repo.path, env, stderr: "ignore" }));
  const { content } = await client.callTool({ name: "retrieve", arguments: { task: SHOP_TASK, budget: 900 } });
  await client.close();
  const [answer] = content;
  const shown = (text: string): string => text.replaceAll(repo.path, "~/shop").replaceAll(home.path, "~");
  return cast([
    ["$ cra setup claude --yes", shown(setUp.stdout)],
    [
      `$ your-agent "${SHOP_TASK}"`,
      shown(`${PLAYED}cra.retrieve({ "task": "${SHOP_TASK}" })\n\n${answer?.type === "text" ? answer.text : ""}`),
    ],
  ]);
}

/** Commands with their outputs as an asciicast of version 2. */
function cast(commands: readonly (readonly [typed: string, output: string])[]): string {
  let at = 0;
  const rows: string[] = [
    JSON.stringify({ version: 2, ...SIZE, title: "From nothing to the first answer in an agent" }),
  ];
  const add = (text: string, wait: number): void => {
    at += wait;
    rows.push(JSON.stringify([Math.round(at * 1_000) / 1_000, "o", text]));
  };
  for (const [typed, output] of commands) {
    for (const character of typed) add(character, TYPED_S);
    add("\r\n", PAUSE_S);
    const lines = output.trimEnd().split("\n");
    const left = lines.length - LINES_MAX;
    const kept =
      left <= 0 ? lines : [...lines.slice(0, LINES_MAX / 2), `… ${left} lines …`, ...lines.slice(-LINES_MAX / 2)];
    for (const line of kept) add(`${line}\r\n`, LINE_S);
    add("\r\n", PAUSE_S);
  }
  return `${rows.join("\n")}\n`;
}

if (import.meta.main) {
  const text = await recording();
  if (!process.argv.includes("--check")) await Bun.write(FILE, text);
  else if (text !== (await Bun.file(FILE).text())) {
    process.stderr.write("docs/first-answer.cast is not what the program prints now: bun scripts/recordings.ts\n");
    process.exitCode = 1;
  }
}
