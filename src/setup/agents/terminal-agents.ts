/** The agents that run in a terminal. */
import { join } from "node:path";
import { jsonAt } from "../edits/json.ts";
import type { Piece } from "../pieces.ts";
import { type Agent, at, hook, instructions, json, plain, type Situation, skillIn, skills } from "./agent.ts";

/** The file of instructions that the settings of Gemini CLI name. */
function geminiFile({ folders: { root }, read }: Situation): string {
  const named = jsonAt(read(join(root, ".gemini/settings.json")), ["context", "fileName"]);
  const names = (Array.isArray(named) ? named : [named]).filter(
    (name): name is string => typeof name === "string" && /^[\w-]+\.md$/.test(name),
  );
  return names.includes("AGENTS.md") ? "AGENTS.md" : (names[0] ?? "GEMINI.md");
}

/** The file of opencode: the one with comments, if there is one. */
const opencodeFile = (folder: string, { read }: Situation): string =>
  join(folder, read(join(folder, "opencode.jsonc")) === null ? "opencode.json" : "opencode.jsonc");

export const TERMINAL_AGENTS: readonly Agent[] = [
  {
    id: "claude",
    title: "Claude Code",
    programs: ["claude"],
    signs: ({ claude, root }) => [claude, join(root, ".claude"), join(root, ".mcp.json"), join(root, "CLAUDE.md")],
    files: (situation) => {
      const { scope, folders, read, hooks } = situation;
      const { claude, home, root } = folders;
      const imports = /^@(?:\.\/)?AGENTS\.md\s*$/m.test(read(join(root, "CLAUDE.md")) ?? "");
      const server = claude === join(home, ".claude") ? join(home, ".claude.json") : join(claude, ".claude.json");
      const events = ["PostToolUse", "PostToolUseFailure"].map((event) => hook(event, situation, 1, "Bash"));
      return [
        ...at("server", { project: join(root, ".mcp.json"), user: server }, scope, [
          json(["mcpServers", "cra"], plain(situation)),
        ]),
        ...instructions(
          { project: join(root, imports ? "AGENTS.md" : "CLAUDE.md"), user: join(claude, "CLAUDE.md") },
          situation,
        ),
        ...skills({ project: skillIn(root, ".claude/skills"), user: skillIn(claude, "skills") }, situation),
        ...at(
          "hooks",
          { project: join(root, ".claude/settings.json"), user: join(claude, "settings.json") },
          scope,
          hooks ? [hook("UserPromptSubmit", situation, 1), ...events] : [],
        ),
      ];
    },
  },
  {
    id: "codex",
    title: "Codex",
    programs: ["codex"],
    signs: ({ codex, root }) => [codex, join(root, ".codex")],
    files: (situation) => {
      const { scope, folders, hooks } = situation;
      const { codex, home, root } = folders;
      const table: Piece = {
        kind: "toml",
        path: ["mcp_servers", "cra"],
        values: { ...plain(situation), tool_timeout_sec: 300 },
      };
      return [
        ...at("server", { project: join(root, ".codex/config.toml"), user: join(codex, "config.toml") }, scope, [
          table,
        ]),
        ...instructions({ project: join(root, "AGENTS.md"), user: join(codex, "AGENTS.md") }, situation),
        ...skills({ project: skillIn(root, ".agents/skills"), user: skillIn(home, ".agents/skills") }, situation),
        ...at(
          "hooks",
          { project: join(root, ".codex/hooks.json"), user: join(codex, "hooks.json") },
          scope,
          hooks ? [hook("UserPromptSubmit", situation, 1), hook("PostToolUse", situation, 1, "Bash")] : [],
        ),
      ];
    },
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    programs: ["gemini"],
    signs: ({ home, root }) => [join(home, ".gemini/settings.json"), join(root, ".gemini"), join(root, "GEMINI.md")],
    files: (situation) => {
      const { scope, folders, hooks } = situation;
      const { home, root } = folders;
      const events = [hook("BeforeAgent", situation, 1_000), hook("AfterTool", situation, 1_000, "run_shell_command")];
      return [
        ...at(
          "server",
          { project: join(root, ".gemini/settings.json"), user: join(home, ".gemini/settings.json") },
          scope,
          [json(["mcpServers", "cra"], plain(situation)), ...(hooks ? events : [])],
        ),
        ...instructions(
          { project: join(root, geminiFile(situation)), user: join(home, ".gemini/GEMINI.md") },
          situation,
        ),
        ...skills({ project: skillIn(root, ".agents/skills"), user: skillIn(home, ".agents/skills") }, situation),
      ];
    },
  },
  {
    id: "opencode",
    title: "opencode",
    programs: ["opencode", "opencode2"],
    signs: ({ config, root }) => [
      join(config, "opencode"),
      join(root, ".opencode"),
      join(root, "opencode.json"),
      join(root, "opencode.jsonc"),
    ],
    files: (situation) => {
      const { scope, folders, read, command } = situation;
      const { config, home, root } = folders;
      const server = opencodeFile(scope === "project" ? root : join(config, "opencode"), situation);
      // Version 2 has its servers one level deeper, and reads the older form too.
      const isNested = jsonAt(read(server), ["mcp", "servers"]) !== undefined;
      const path = isNested ? ["mcp", "servers", "cra"] : ["mcp", "cra"];
      return [
        ...at("server", { project: server, user: server }, scope, [
          json(path, { type: "local", command: [command, "mcp"] }),
        ]),
        ...instructions({ project: join(root, "AGENTS.md"), user: join(config, "opencode/AGENTS.md") }, situation),
        ...skills({ project: skillIn(root, ".agents/skills"), user: skillIn(home, ".agents/skills") }, situation),
      ];
    },
  },
  {
    id: "copilot",
    title: "GitHub Copilot CLI",
    programs: ["copilot"],
    signs: ({ home, root }) => [join(home, ".copilot"), join(root, ".github/mcp.json")],
    files: (situation) => {
      const { home, root } = situation.folders;
      return [
        ...at(
          "server",
          { project: join(root, ".github/mcp.json"), user: join(home, ".copilot/mcp-config.json") },
          situation.scope,
          [json(["mcpServers", "cra"], { type: "stdio", ...plain(situation), tools: ["*"] })],
        ),
        ...instructions(
          { project: join(root, "AGENTS.md"), user: join(home, ".copilot/copilot-instructions.md") },
          situation,
        ),
        ...skills({ project: skillIn(root, ".agents/skills"), user: skillIn(home, ".copilot/skills") }, situation),
      ];
    },
  },
  {
    id: "goose",
    title: "goose",
    programs: ["goose"],
    signs: ({ config, root }) => [join(config, "goose"), join(root, ".goosehints")],
    files: (situation) => {
      const { config, home, root } = situation.folders;
      const { command, args } = plain(situation);
      const about = "finds the code for a task in this repository";
      const entry = { name: "cra", type: "stdio", enabled: true, cmd: command, args, timeout: 300, description: about };
      return [
        ...at("server", { project: null, user: join(config, "goose/config.yaml") }, situation.scope, [
          { kind: "yaml", path: ["extensions", "cra"], value: entry },
        ]),
        ...instructions({ project: join(root, "AGENTS.md"), user: join(config, "goose/.goosehints") }, situation),
        ...skills({ project: skillIn(root, ".agents/skills"), user: skillIn(home, ".agents/skills") }, situation),
      ];
    },
  },
  {
    id: "amp",
    title: "Amp",
    programs: ["amp"],
    signs: ({ config, root }) => [join(config, "amp"), join(root, ".amp")],
    files: (situation) => {
      const { config, root } = situation.folders;
      return [
        ...at(
          "server",
          { project: join(root, ".amp/settings.json"), user: join(config, "amp/settings.json") },
          situation.scope,
          [json(["amp.mcpServers", "cra"], plain(situation))],
        ),
        ...instructions({ project: join(root, "AGENTS.md"), user: join(config, "AGENTS.md") }, situation),
        ...skills({ project: skillIn(root, ".agents/skills"), user: skillIn(config, "agents/skills") }, situation),
      ];
    },
  },
];
