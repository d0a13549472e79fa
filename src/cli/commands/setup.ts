/** `cra setup`: makes coding agents use cra. Shows each change as a diff; writes only when told, and undoes it to the byte. */
import { AGENT_NAMES } from "../../setup/agents/agent-names.ts";
import type { Command, Context } from "../syntax/command.ts";

export const SETUP: Command = {
  name: "setup",
  summary: "set up coding agents to use cra: their MCP server, instructions and skill",
  arguments: [
    {
      name: "agent",
      summary: `${AGENT_NAMES.slice(0, -1).join(", ")} or ${AGENT_NAMES.at(-1)}; by default all that are installed`,
      required: false,
      variadic: true,
      choices: AGENT_NAMES,
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
  const named = context.values.list("agent");
  const { setUp, undoSetup } = await import("../setup/run-setup.ts");
  return await (context.values.switch("--undo") ? undoSetup : setUp)(context, named);
}
