/** The coding agents that cra can be set up for. One row an agent. */
import type { Agent } from "./agent.ts";
import { EDITOR_AGENTS } from "./editor-agents.ts";
import { TERMINAL_AGENTS } from "./terminal-agents.ts";

export const AGENTS: readonly Agent[] = [...TERMINAL_AGENTS, ...EDITOR_AGENTS];
