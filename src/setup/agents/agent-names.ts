/** The agents that `cra setup` knows, in the order of its tables. A file of its own, since every start of the program reads the names. */
export const AGENT_NAMES = [
  "claude",
  "codex",
  "gemini",
  "opencode",
  "copilot",
  "goose",
  "amp",
  "cursor",
  "vscode",
  "zed",
  "windsurf",
  "kiro",
] as const;

export type AgentName = (typeof AGENT_NAMES)[number];
