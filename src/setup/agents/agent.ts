/** What a coding agent is to `cra setup`, and what its rows are made of: servers, instructions, skills and hooks in its files. */

import { join } from "node:path";
import { isRecord } from "../../text/parse-json.ts";
import type { Value } from "../edits/edit.ts";
import type { Piece } from "../pieces.ts";
import { INSTRUCTIONS, SKILL } from "../texts.ts";
import type { AgentName } from "./agent-names.ts";

/** The folders of the user and of the repository. `settings` is where desktop programs of the system keep settings. */
export type Folders = Readonly<Record<(typeof FOLDERS)[number], string>>;
const FOLDERS = ["home", "config", "settings", "root", "codex", "claude"] as const;

export type Scope = "project" | "user";

export type Situation = {
  readonly scope: Scope;
  readonly folders: Folders;
  /** The program that starts cra. */
  readonly command: string;
  /** Whether to add hooks, which run with each prompt. */
  readonly hooks: boolean;
  /** The text of a file; null if there is none that can be read. */
  read(path: string): string | null;
};

export type AgentFile = {
  readonly what: "server" | "instructions" | "skill" | "hooks";
  readonly path: string;
  readonly pieces: readonly Piece[];
};

export type Agent = {
  readonly id: AgentName;
  readonly title: string;
  readonly programs: readonly string[];
  /** Files and folders that it leaves when it is used. */
  signs(folders: Folders): readonly string[];
  files(situation: Situation): readonly AgentFile[];
};

/** A path in one of the folders, such as `home/.cursor/mcp.json`; a folder alone is itself. */
type Place = keyof Folders | `${keyof Folders}/${string}`;

/** Where something is for the project, and for the user; null where the agent has none. */
type Places = Readonly<Record<Scope, Place | null>>;

/** An agent as its documentation describes it. Places that depend on other files are functions. */
type AgentRow = Omit<Agent, "signs" | "files"> & {
  readonly signs: readonly Place[];
  readonly server: Places | ((situation: Situation) => Places);
  /** What makes cra one of its servers. */
  pieces(situation: Situation): readonly Piece[];
  readonly instructions: Places | ((situation: Situation) => Places);
  readonly skills: Places;
  readonly hooks?: Places & { pieces(situation: Situation): readonly Piece[] };
};

export const agent = ({ signs, server, pieces, instructions, skills, hooks, ...row }: AgentRow): Agent => ({
  ...row,
  signs: (folders) => signs.map((place) => pathOf(place, folders)),
  files(situation) {
    const file = (
      what: AgentFile["what"],
      places: AgentRow["server"],
      contents: readonly Piece[],
      inFolder: readonly string[] = [],
    ): readonly AgentFile[] => {
      const place = (typeof places === "function" ? places(situation) : places)[situation.scope];
      if (place === null || contents.length === 0) return [];
      return [{ what, path: join(pathOf(place, situation.folders), ...inFolder), pieces: contents }];
    };
    return [
      ...file("server", server, pieces(situation)),
      ...file("instructions", instructions, [block]),
      ...file("skill", skills, [skill], ["cra", "SKILL.md"]),
      ...(hooks === undefined || !situation.hooks ? [] : file("hooks", hooks, hooks.pieces(situation))),
    ];
  },
});

/** The absolute path of a place. */
export function pathOf(place: Place, folders: Folders): string {
  const folder = FOLDERS.find((name) => place === name || place.startsWith(`${name}/`)) ?? "root";
  return join(folders[folder], place.slice(folder.length));
}

export const json = (path: readonly string[], value: Value): Piece => ({
  kind: "json",
  place: { kind: "property", path },
  value,
});
const block: Piece = { kind: "block", content: INSTRUCTIONS };
const skill: Piece = { kind: "whole", ...SKILL };
/** Where several agents look for skills. */
export const SHARED_SKILLS = { project: "root/.agents/skills", user: "home/.agents/skills" } as const;

export const plain = ({ command }: Situation, ...more: readonly string[]) => ({ command, args: ["mcp", ...more] });
/** Clients that start servers elsewhere name the folder. */
export const WORKSPACE = ["--repo", "$" + "{workspaceFolder}"];

/** `cra hook` for one event. `unit` is what a second is for the agent. */
export function hook(event: string, { command }: Pick<Situation, "command">, unit: number, matcher?: string): Piece {
  const runs = {
    type: "command",
    command: `${/\s/.test(command) ? JSON.stringify(command) : command} hook`,
    timeout: 20 * unit,
  };
  const value = { ...(matcher === undefined ? {} : { matcher }), hooks: [runs] };
  return { kind: "json", place: { kind: "element", path: ["hooks", event], ours }, value };
}

/** The hook that runs `cra hook`: a whole element, or one of several in it. */
function ours(element: unknown): readonly (string | number)[] | null {
  const hooks: readonly unknown[] = isRecord(element) && Array.isArray(element.hooks) ? element.hooks : [];
  const at = hooks.findIndex(
    (one) => isRecord(one) && typeof one.command === "string" && RUNS_HOOK.test(one.command.trim()),
  );
  if (at === -1) return null;
  return hooks.length === 1 ? [] : ["hooks", at];
}
const RUNS_HOOK = /^(?:"(?:[^"]*[\\/])?cra(?:\.exe)?"|(?:\S*[\\/])?cra(?:\.exe)?) hook$/;
