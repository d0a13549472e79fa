/** Where agents and cra keep files of the user, and which agents are installed. */
import { existsSync } from "node:fs";
import { platform } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../../app/workspace/environment.ts";
import type { Variables } from "../../config/variables.ts";
import { Failed } from "../../failure.ts";
import type { Agent, Folders, Scope } from "../../setup/agents/agent.ts";

/** Throws a usage failure when no variable names the user's home folder. */
export function foldersOf(root: string, variables: Variables): Folders {
  const home = absolute(variables.HOME) ?? absolute(variables.USERPROFILE);
  if (home === null)
    throw new Failed({ code: "usage", message: "HOME names no folder", next: "set it to your home folder" });
  const config = absolute(variables.XDG_CONFIG_HOME) ?? join(home, ".config");
  const settings = new Map<string, string>([
    ["darwin", join(home, "Library", "Application Support")],
    ["win32", absolute(variables.APPDATA) ?? join(home, "AppData", "Roaming")],
  ]).get(platform());
  return {
    home,
    config,
    settings: settings ?? config,
    root,
    codex: absolute(variables.CODEX_HOME) ?? join(home, ".codex"),
    claude: absolute(variables.CLAUDE_CONFIG_DIR) ?? join(home, ".claude"),
  };
}

/** The folder of the user's state, in which cra remembers what it changed. */
export const stateFolder = ({ home }: Folders, variables: Variables): string =>
  absolute(variables.XDG_STATE_HOME) ?? absolute(variables.LOCALAPPDATA) ?? join(home, ".local", "state");

/** Whether an agent left files or is on the PATH. */
export const isInstalled = (agent: Agent, folders: Folders, variables: Variables): boolean =>
  agent.signs(folders).some((path) => existsSync(path)) || agent.programs.some((name) => isOnPath(name, variables));

/** How agents start cra: by name, or for a user whose PATH does not have it, by its file. A project's files are for everybody. */
export const commandOf = ({ program, variables }: Environment, scope: Scope): string =>
  scope === "project" || isOnPath("cra", variables) || program.length !== 1 ? "cra" : (program[0] ?? "cra");

export function isOnPath(name: string, { PATH = "" }: Variables): boolean {
  const names = platform() === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  return PATH.split(delimiter).some(
    (folder) => isAbsolute(folder) && names.some((one) => existsSync(join(folder, one))),
  );
}

const absolute = (path: string | undefined): string | null => (path && isAbsolute(path) ? path : null);
