/**
 * The commands that coding agents call, and that people set up once.
 */
import { DOMAINS } from "../../memory/vocabulary.ts";
import type { Command } from "../syntax/command.ts";

export const AGENT_COMMANDS: readonly Command[] = [
  {
    name: "mcp",
    summary: "the server for coding agents, on standard input and output (Model Context Protocol)",
    arguments: [],
    options: [
      {
        flag: "--budget",
        value: "tokens",
        whole: { least: 100, most: 1_000_000 },
        summary: "tokens of a package, by default and at most (6000 and 12000 when left out)",
      },
      { flag: "--text-only", summary: "no structured results, for agents that show models these in place of the text" },
    ],
    examples: [
      { line: "cra mcp", does: "agents start it themselves; set up once, as by: claude mcp add cra -- cra mcp" },
      { line: "cra mcp --repo ~/code/app", does: "for one repository, wherever it is started" },
    ],
    run: () => import("./mcp.ts"),
  },
  {
    name: "hook",
    summary: "a hook of Claude Code: a package for each prompt, a premortem for a failed test",
    arguments: [],
    options: [
      {
        flag: "--budget",
        value: "tokens",
        whole: { least: 100, most: 100_000 },
        summary: "tokens of a package (2200 when left out, as Claude Code takes 10,000 characters)",
      },
      { flag: "--domain", value: "domain", choices: DOMAINS, summary: "of the premortem (debugging when left out)" },
    ],
    examples: [
      { line: "cra hook < event.json", does: "what Claude Code does with it; its settings are in docs/agents.md" },
    ],
    run: () => import("./hook.ts"),
  },
];
