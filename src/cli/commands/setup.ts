/** `cra setup`: makes coding agents use cra. Shows each change as a diff; writes only when told, and undoes it to the byte. */
import { Failed } from "../../failure.ts";
import type { Command, Context } from "../syntax/command.ts";

export const SETUP: Command = {
  name: "setup",
  summary: "set up coding agents to use cra: their MCP server, instructions and skill",
  arguments: [
    {
      name: "agent",
      summary:
        "claude, codex, gemini, opencode, copilot, goose, amp, cursor, vscode, zed, windsurf or kiro; by default all that are installed",
      required: false,
      variadic: true,
    },
  ],
  options: [
    { flag: "--user", summary: "set them up for all projects of this user, not for this project" },
    { flag: "--hooks", summary: "add hooks too, which give a package with each prompt (claude, codex, gemini)" },
    { flag: "--yes", summary: "write the changes without asking", conflicts: ["--undo"] },
    { flag: "--undo", summary: "take out again what cra setup wrote", conflicts: ["--hooks"] },
  ],
  examples: [
    { line: "cra setup", does: "show what would change for the agents that are installed" },
    { line: "cra setup claude codex --yes", does: "set up two agents for this project" },
    { line: "cra setup --user --undo", does: "take it out of all settings of this user" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { AGENTS } = await import("../../setup/agents/agents.ts");
  const named = context.values.list("agent");
  for (const name of named)
    if (!AGENTS.some(({ id }) => id === name)) {
      const next = `there are ${AGENTS.map(({ id }) => id).join(", ")}`;
      throw new Failed({
        code: "usage",
        message: `cra does not know the agent ${JSON.stringify(name.slice(0, 60))}`,
        next,
      });
    }
  const { setUp, undoSetup } = await import("../setup/run-setup.ts");
  return await (context.values.switch("--undo") ? undoSetup : setUp)(context, named);
}
