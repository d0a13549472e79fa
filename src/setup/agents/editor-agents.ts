/** The agents that are part of an editor. */
import { join } from "node:path";
import { type Agent, at, instructions, json, plain, skillIn, skills, WORKSPACE } from "./agent.ts";

export const EDITOR_AGENTS: readonly Agent[] = [
  {
    id: "cursor",
    title: "Cursor",
    programs: ["cursor", "cursor-agent"],
    signs: ({ home, root }) => [join(home, ".cursor"), join(root, ".cursor")],
    files: (situation) => {
      const { home, root } = situation.folders;
      return [
        ...at(
          "server",
          { project: join(root, ".cursor/mcp.json"), user: join(home, ".cursor/mcp.json") },
          situation.scope,
          [json(["mcpServers", "cra"], plain(situation, ...WORKSPACE))],
        ),
        ...instructions({ project: join(root, "AGENTS.md"), user: null }, situation),
        ...skills({ project: skillIn(root, ".agents/skills"), user: skillIn(home, ".cursor/skills") }, situation),
      ];
    },
  },
  {
    id: "vscode",
    title: "VS Code",
    programs: ["code"],
    signs: ({ settings, root }) => [join(settings, "Code/User"), join(root, ".vscode/mcp.json")],
    files: (situation) => {
      const { home, root, settings } = situation.folders;
      return [
        ...at(
          "server",
          { project: join(root, ".vscode/mcp.json"), user: join(settings, "Code/User/mcp.json") },
          situation.scope,
          [json(["servers", "cra"], { type: "stdio", ...plain(situation, ...WORKSPACE) })],
        ),
        ...instructions({ project: join(root, "AGENTS.md"), user: null }, situation),
        ...skills({ project: skillIn(root, ".agents/skills"), user: skillIn(home, ".agents/skills") }, situation),
      ];
    },
  },
  {
    id: "zed",
    title: "Zed",
    programs: ["zed", "zeditor"],
    signs: ({ config, root }) => [join(config, "zed"), join(root, ".zed")],
    files: (situation) => {
      const { config, home, root } = situation.folders;
      return [
        ...at(
          "server",
          { project: join(root, ".zed/settings.json"), user: join(config, "zed/settings.json") },
          situation.scope,
          [json(["context_servers", "cra"], { ...plain(situation), env: {} })],
        ),
        ...instructions({ project: join(root, "AGENTS.md"), user: join(config, "zed/AGENTS.md") }, situation),
        ...skills({ project: skillIn(root, ".agents/skills"), user: skillIn(home, ".agents/skills") }, situation),
      ];
    },
  },
  {
    id: "windsurf",
    title: "Windsurf",
    programs: ["windsurf"],
    signs: ({ home, root }) => [join(home, ".codeium/windsurf"), join(root, ".windsurf")],
    files: (situation) => {
      const { home, root } = situation.folders;
      return [
        ...at("server", { project: null, user: join(home, ".codeium/windsurf/mcp_config.json") }, situation.scope, [
          json(["mcpServers", "cra"], plain(situation)),
        ]),
        ...instructions({ project: join(root, "AGENTS.md"), user: null }, situation),
        ...skills(
          { project: skillIn(root, ".agents/skills"), user: skillIn(home, ".codeium/windsurf/skills") },
          situation,
        ),
      ];
    },
  },
  {
    id: "kiro",
    title: "Kiro",
    programs: ["kiro", "kiro-cli"],
    signs: ({ home, root }) => [join(home, ".kiro"), join(root, ".kiro")],
    files: (situation) => {
      const { home, root } = situation.folders;
      return [
        ...at(
          "server",
          { project: join(root, ".kiro/settings/mcp.json"), user: join(home, ".kiro/settings/mcp.json") },
          situation.scope,
          [json(["mcpServers", "cra"], plain(situation))],
        ),
        ...instructions({ project: join(root, "AGENTS.md"), user: null }, situation),
        ...skills({ project: skillIn(root, ".kiro/skills"), user: skillIn(home, ".kiro/skills") }, situation),
      ];
    },
  },
];
