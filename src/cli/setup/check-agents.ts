/** Whether the agents that use cra are set up whole, for `cra doctor`. Agents without its server are not mentioned. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Environment } from "../../app/workspace/environment.ts";
import { Failed } from "../../failure.ts";
import type { Scope } from "../../setup/agents/agent.ts";
import { AGENTS } from "../../setup/agents/agents.ts";
import { type FilePlan, planned } from "../../setup/plan.ts";
import { openSetup, shown } from "./run-setup.ts";

export type AgentCheck = {
  readonly agent: string;
  readonly scope: Scope;
  readonly ok: boolean;
  /** What is wrong and how to mend it, or that it is in order. */
  readonly what: string;
};

/** One row for each agent and scope whose settings have a server of cra. */
export function checkAgents(root: string, environment: Environment): readonly AgentCheck[] {
  return (["project", "user"] as const).flatMap((scope) => {
    try {
      const setup = openSetup(root, environment, scope, []);
      return AGENTS.flatMap(({ id }) => {
        const { situation, reader } = setup;
        const files = planned(
          AGENTS.filter((agent) => agent.id === id),
          situation,
          reader,
        );
        const server = files.find(({ whats }) => whats.includes("server"));
        if (server === undefined || (server.state !== "present" && server.state !== "other")) return [];
        const command = `cra setup ${id}${scope === "user" ? " --user" : ""}`;
        return [{ agent: id, scope, ...verdict(command, files, (path) => shown(path, setup)) }];
      });
    } catch (error) {
      // Without a home folder there are no settings to check.
      if (error instanceof Failed) return [];
      throw error;
    }
  });

  function verdict(command: string, files: readonly FilePlan[], name: (path: string) => string) {
    const program = files.flatMap(({ pieces }) => pieces.flatMap(programOf)).find((one) => isAbsolute(one));
    if (program !== undefined && !existsSync(program))
      return { ok: false, what: `${program}, which starts its server, is missing` };
    const due = files.filter(({ state }) => state === "added" || state === "refused");
    if (due.length === 0) return { ok: true, what: "in order" };
    const names = due.map(({ path }) => name(path)).join(", ");
    return { ok: false, what: `${names} lacks cra's part; run: ${command}` };
  }
}

/** The program that a server entry starts. */
const programOf = (piece: FilePlan["pieces"][number]): readonly string[] => {
  const value =
    piece.kind === "toml" ? piece.values : piece.kind === "json" || piece.kind === "yaml" ? piece.value : null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    (key === "command" || key === "cmd") && typeof one === "string" ? [one] : [],
  );
};
