/** The coding agents that cra can be set up for, one row an agent: those of a terminal, then those of an editor. */
import { join } from "node:path";
import { jsonAt } from "../edits/json.ts";
import { type Agent, agent, hook, json, pathOf, plain, SHARED_SKILLS, type Situation, WORKSPACE } from "./agent.ts";

/** The file of instructions that the settings of Gemini CLI name. */
function geminiFile({ folders: { root }, read }: Situation): string {
  const named = jsonAt(read(join(root, ".gemini/settings.json")), ["context", "fileName"]);
  const names = (Array.isArray(named) ? named : [named]).filter(
    (name): name is string => typeof name === "string" && /^[\w-]+\.md$/.test(name),
  );
  return names.includes("AGENTS.md") ? "AGENTS.md" : (names[0] ?? "GEMINI.md");
}

/** The files of opencode: those with comments, if there are any. */
function opencodeFiles({ folders: { root, config }, read }: Situation) {
  const ending = (folder: string) => (read(join(folder, "opencode.jsonc")) === null ? "json" : "jsonc");
  return {
    project: `root/opencode.${ending(root)}`,
    user: `config/opencode/opencode.${ending(join(config, "opencode"))}`,
  } as const;
}

/** Editors have no file of instructions for all projects of a user. */
const IN_PROJECT = { project: "root/AGENTS.md", user: null } as const;

export const AGENTS: readonly Agent[] = [
  agent({
    id: "claude",
    title: "Claude Code",
    programs: ["claude"],
    signs: ["claude", "root/.claude", "root/.mcp.json", "root/CLAUDE.md"],
    server: ({ folders: { claude, home } }) => ({
      project: "root/.mcp.json",
      user: claude === join(home, ".claude") ? "home/.claude.json" : "claude/.claude.json",
    }),
    pieces: (situation) => [json(["mcpServers", "cra"], plain(situation))],
    instructions({ folders: { root }, read }) {
      const imports = /^@(?:\.\/)?AGENTS\.md\s*$/m.test(read(join(root, "CLAUDE.md")) ?? "");
      return { project: imports ? "root/AGENTS.md" : "root/CLAUDE.md", user: "claude/CLAUDE.md" };
    },
    skills: { project: "root/.claude/skills", user: "claude/skills" },
    hooks: {
      project: "root/.claude/settings.json",
      user: "claude/settings.json",
      pieces: (situation) => [
        ...["SessionStart", "UserPromptSubmit"].map((event) => hook(event, situation, 1)),
        ...["PostToolUse", "PostToolUseFailure"].map((event) => hook(event, situation, 1, "Bash")),
      ],
    },
  }),
  agent({
    id: "codex",
    title: "Codex",
    programs: ["codex"],
    signs: ["codex", "root/.codex"],
    server: { project: "root/.codex/config.toml", user: "codex/config.toml" },
    pieces: (situation) => [
      { kind: "toml", path: ["mcp_servers", "cra"], values: { ...plain(situation), tool_timeout_sec: 300 } },
    ],
    instructions: { project: "root/AGENTS.md", user: "codex/AGENTS.md" },
    skills: SHARED_SKILLS,
    hooks: {
      project: "root/.codex/hooks.json",
      user: "codex/hooks.json",
      pieces: (situation) => [
        ...["SessionStart", "UserPromptSubmit"].map((event) => hook(event, situation, 1)),
        hook("PostToolUse", situation, 1, "Bash"),
      ],
    },
  }),
  agent({
    id: "gemini",
    title: "Gemini CLI",
    programs: ["gemini"],
    signs: ["home/.gemini/settings.json", "root/.gemini", "root/GEMINI.md"],
    server: { project: "root/.gemini/settings.json", user: "home/.gemini/settings.json" },
    // Its hooks are in the file of its servers.
    pieces: (situation) => [
      json(["mcpServers", "cra"], plain(situation)),
      ...(situation.hooks
        ? [
            ...["SessionStart", "PreCompress", "BeforeAgent"].map((event) => hook(event, situation, 1_000)),
            hook("AfterTool", situation, 1_000, "run_shell_command"),
          ]
        : []),
    ],
    instructions: (situation) => ({ project: `root/${geminiFile(situation)}`, user: "home/.gemini/GEMINI.md" }),
    skills: SHARED_SKILLS,
  }),
  agent({
    id: "opencode",
    title: "opencode",
    programs: ["opencode", "opencode2"],
    signs: ["config/opencode", "root/.opencode", "root/opencode.json", "root/opencode.jsonc"],
    server: opencodeFiles,
    pieces(situation) {
      const { command, folders, read, scope } = situation;
      const text = read(pathOf(opencodeFiles(situation)[scope], folders));
      // Version 2 has its servers one level deeper, and reads the older form too.
      const isNested = jsonAt(text, ["mcp", "servers"]) !== undefined;
      const path = isNested ? ["mcp", "servers", "cra"] : ["mcp", "cra"];
      return [json(path, { type: "local", command: [command, "mcp"] })];
    },
    instructions: { project: "root/AGENTS.md", user: "config/opencode/AGENTS.md" },
    skills: SHARED_SKILLS,
  }),
  agent({
    id: "copilot",
    title: "GitHub Copilot CLI",
    programs: ["copilot"],
    signs: ["home/.copilot", "root/.github/mcp.json"],
    server: { project: "root/.github/mcp.json", user: "home/.copilot/mcp-config.json" },
    pieces: (situation) => [json(["mcpServers", "cra"], { type: "stdio", ...plain(situation), tools: ["*"] })],
    instructions: { project: "root/AGENTS.md", user: "home/.copilot/copilot-instructions.md" },
    skills: { project: "root/.agents/skills", user: "home/.copilot/skills" },
  }),
  agent({
    id: "goose",
    title: "goose",
    programs: ["goose"],
    signs: ["config/goose", "root/.goosehints"],
    server: { project: null, user: "config/goose/config.yaml" },
    pieces(situation) {
      const { command, args } = plain(situation);
      const about = "finds the code for a task in this repository";
      const entry = { name: "cra", type: "stdio", enabled: true, cmd: command, args, timeout: 300, description: about };
      return [{ kind: "yaml", path: ["extensions", "cra"], value: entry }];
    },
    instructions: { project: "root/AGENTS.md", user: "config/goose/.goosehints" },
    skills: SHARED_SKILLS,
  }),
  agent({
    id: "amp",
    title: "Amp",
    programs: ["amp"],
    signs: ["config/amp", "root/.amp"],
    server: { project: "root/.amp/settings.json", user: "config/amp/settings.json" },
    pieces: (situation) => [json(["amp.mcpServers", "cra"], plain(situation))],
    instructions: { project: "root/AGENTS.md", user: "config/AGENTS.md" },
    skills: { project: "root/.agents/skills", user: "config/agents/skills" },
  }),
  agent({
    id: "cursor",
    title: "Cursor",
    programs: ["cursor", "cursor-agent"],
    signs: ["home/.cursor", "root/.cursor"],
    server: { project: "root/.cursor/mcp.json", user: "home/.cursor/mcp.json" },
    pieces: (situation) => [json(["mcpServers", "cra"], plain(situation, ...WORKSPACE))],
    instructions: IN_PROJECT,
    skills: { project: "root/.agents/skills", user: "home/.cursor/skills" },
  }),
  agent({
    id: "vscode",
    title: "VS Code",
    programs: ["code"],
    signs: ["settings/Code/User", "root/.vscode/mcp.json"],
    server: { project: "root/.vscode/mcp.json", user: "settings/Code/User/mcp.json" },
    pieces: (situation) => [json(["servers", "cra"], { type: "stdio", ...plain(situation, ...WORKSPACE) })],
    instructions: IN_PROJECT,
    skills: SHARED_SKILLS,
  }),
  agent({
    id: "zed",
    title: "Zed",
    programs: ["zed", "zeditor"],
    signs: ["config/zed", "root/.zed"],
    server: { project: "root/.zed/settings.json", user: "config/zed/settings.json" },
    pieces: (situation) => [json(["context_servers", "cra"], { ...plain(situation), env: {} })],
    instructions: { project: "root/AGENTS.md", user: "config/zed/AGENTS.md" },
    skills: SHARED_SKILLS,
  }),
  agent({
    id: "windsurf",
    title: "Windsurf",
    programs: ["windsurf"],
    signs: ["home/.codeium/windsurf", "root/.windsurf"],
    server: { project: null, user: "home/.codeium/windsurf/mcp_config.json" },
    pieces: (situation) => [json(["mcpServers", "cra"], plain(situation))],
    instructions: IN_PROJECT,
    skills: { project: "root/.agents/skills", user: "home/.codeium/windsurf/skills" },
  }),
  agent({
    id: "kiro",
    title: "Kiro",
    programs: ["kiro", "kiro-cli"],
    signs: ["home/.kiro", "root/.kiro"],
    server: { project: "root/.kiro/settings/mcp.json", user: "home/.kiro/settings/mcp.json" },
    pieces: (situation) => [json(["mcpServers", "cra"], plain(situation))],
    instructions: IN_PROJECT,
    skills: { project: "root/.kiro/skills", user: "home/.kiro/skills" },
  }),
];
