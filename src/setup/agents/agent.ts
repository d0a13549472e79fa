/** What a coding agent is to `cra setup`, and what its rows are made of: servers, instructions, skills and hooks in its files. */
import { join } from "node:path";
import type { Value } from "../edits/edit.ts";
import type { Piece } from "../pieces.ts";
import { INSTRUCTIONS, SKILL } from "../texts.ts";

/** The folders of the user and of the repository. `settings` is where desktop programs of the system keep settings. */
export type Folders = {
  readonly home: string;
  readonly config: string;
  readonly settings: string;
  readonly root: string;
  readonly codex: string;
  readonly claude: string;
};

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
  readonly id: string;
  readonly title: string;
  /** Its programs on the PATH. */
  readonly programs: readonly string[];
  /** Files and folders that it leaves when it is used. */
  signs(folders: Folders): readonly string[];
  files(situation: Situation): readonly AgentFile[];
};

/** What a path is for the project, and for the user; null where the agent has none. */
type Paths = { readonly project: string | null; readonly user: string | null };

export const at = (
  what: AgentFile["what"],
  paths: Paths,
  scope: Scope,
  pieces: readonly Piece[],
): readonly AgentFile[] => {
  const path = paths[scope];
  return path === null || pieces.length === 0 ? [] : [{ what, path, pieces }];
};

export const json = (path: readonly string[], value: Value): Piece => ({
  kind: "json",
  place: { kind: "property", path },
  value,
});
const block: Piece = { kind: "block", content: INSTRUCTIONS };
const skill: Piece = { kind: "whole", ...SKILL };

export const instructions = (paths: Paths, { scope }: Situation) => at("instructions", paths, scope, [block]);
export const skills = (paths: Paths, { scope }: Situation) => at("skill", paths, scope, [skill]);
export const skillIn = (...folder: readonly string[]): string => join(...folder, "cra", "SKILL.md");

export const plain = ({ command }: Situation, ...more: readonly string[]) => ({ command, args: ["mcp", ...more] });
/** Clients that start servers elsewhere name the folder. */
export const WORKSPACE = ["--repo", "$" + "{workspaceFolder}"];

/** `cra hook` for one event. `unit` is what a second is for the agent. */
export function hook(event: string, { command }: Situation, unit: number, matcher?: string): Piece {
  const runs = {
    type: "command",
    command: `${/\s/.test(command) ? JSON.stringify(command) : command} hook`,
    timeout: 20 * unit,
  };
  const value = { ...(matcher === undefined ? {} : { matcher }), hooks: [runs] };
  return { kind: "json", place: { kind: "element", path: ["hooks", event], isOurs }, value };
}

const isOurs = (element: unknown): boolean =>
  /"command":"(?:[^"\\]|\\.)*\bcra(?:\.exe)?(?:\\")? hook"/.test(JSON.stringify(element) ?? "");
