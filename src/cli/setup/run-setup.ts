/** Plans the change of the agents' files, shows it, and writes it or takes it out again. */
import { relative, resolve } from "node:path";
import { type Environment, isStartFolder } from "../../app/workspace/environment.ts";
import { Failed } from "../../failure.ts";
import { table } from "../../present/layout.ts";
import type { Agent, Scope, Situation } from "../../setup/agents/agent.ts";
import { AGENTS } from "../../setup/agents/agents.ts";
import { type FilePlan, planned, type Reader } from "../../setup/plan.ts";
import { shownDiff } from "../../setup/shown-diff.ts";
import { findRepository } from "../../source/git/folders.ts";
import { locationText } from "../requests/app-request.ts";
import type { Context } from "../syntax/command.ts";
import { type ChangeLog, changeLog, checkUnchanged, removeEmpty } from "./change-log.ts";
import { commandOf, foldersOf, isInstalled, isOnPath, stateFolder } from "./folders.ts";
import { type NotWritten, notWritten, throwFirst } from "./not-written.ts";
import { readUserFile } from "./user-file.ts";

/** What a run works with: the agents that it is for, their situation, and how their files are read and logged. */
type Setup = {
  readonly scope: Scope;
  readonly root: string;
  readonly situation: Situation;
  readonly reader: Reader;
  readonly log: ChangeLog;
  readonly agents: readonly Agent[];
};

/** The setup of the chosen scope, for the named agents, or without names for all that are installed. */
function askedSetup({ values, environment }: Context, named: readonly string[], hooks: boolean): Setup {
  const { root, kind } = findRepository(resolve(environment.cwd, values.text("--repo") ?? "."));
  const scope = values.switch("--user") ? "user" : "project";
  if (scope === "project" && (kind === "bare" || isStartFolder(root, environment.variables))) {
    const why = kind === "bare" ? "it is a bare repository, which has no work tree" : "it is no project";
    const next = "run cra setup in a project, or for all projects: cra setup --user";
    throw new Failed({ code: "usage", message: `${root}: ${why}`, next });
  }
  return openSetup(root, environment, scope, named, hooks);
}

/** `named` are ids of agents; none stands for all that are installed. `root` is the project, which bounds what may be read in its scope. */
export function openSetup(
  root: string,
  environment: Environment,
  scope: Scope,
  named: readonly string[],
  hooks = false,
): Setup {
  const { variables } = environment;
  const folders = foldersOf(root, variables);
  const reader: Reader = (path) => readUserFile(path, scope === "project" ? root : null);
  const read = (path: string): string | null => {
    try {
      return reader(path).text;
    } catch (error) {
      if (error instanceof Failed) return null;
      throw error;
    }
  };
  return {
    scope,
    root,
    reader,
    situation: { scope, folders, command: commandOf(environment, scope), hooks, read },
    log: changeLog(stateFolder(folders, variables), scope === "project" ? root : null),
    agents: AGENTS.filter((agent) =>
      named.length > 0 ? named.includes(agent.id) : isInstalled(agent, folders, variables),
    ),
  };
}

/** Shows the changes, and writes them after `--yes` or a question. */
export async function setUp(context: Context, named: readonly string[]): Promise<number> {
  const { values, output, input, signal } = context;
  const setup = askedSetup(context, named, values.switch("--hooks"));
  const files = planned(setup.agents, setup.situation, setup.reader);
  const due = files.filter(({ state }) => state === "added");
  const diffs = due.map(({ path, before, after, inserted }) => shownDiff(shown(path, setup), before, after, inserted));
  if (!output.mode.json)
    await output.data(`${diffs.join("")}${diffs.length > 0 ? "\n" : ""}${reportText(files, setup)}`);
  const isWanted =
    due.length > 0 && (values.switch("--yes") || (input.canAsk && (await input.confirm("Write these changes?"))));
  signal.throwIfAborted();
  const failed = isWanted ? due.flatMap((file) => written(file, setup)) : [];
  const isWritten = isWanted && failed.length < due.length;
  const done = files.map((file): FilePlan => {
    const why = failed.find(({ path }) => path === file.path)?.why;
    return why === undefined ? file : { ...file, state: "refused", why };
  });
  if (output.mode.json) await output.json(reportJson(done, setup, diffs, isWritten));
  else {
    const left = failed.map((file) => leftAlone(file, setup)).join("");
    await output.data(`${left}${closing(setup, { due: due.length, isWanted, isWritten }, locationText(values))}\n`);
  }
  if (isWanted && setup.situation.command === "cra" && !isOnPath("cra", context.environment.variables))
    await output.say("cra: note: cra is not on your PATH, where agents look for it");
  throwFirst(failed);
  return done.some(({ state }) => state === "refused") ? 1 : 0;
}

/** Writes one file. One that cannot be written is left as it is, and returned. */
function written(file: FilePlan, { reader, log }: Setup): readonly NotWritten[] {
  const { path, before } = file;
  let changing = path;
  try {
    const { realPath, text } = reader(path);
    changing = realPath;
    checkUnchanged(path, before, text);
    log.write(realPath, file);
    return [];
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return [notWritten(path, changing, error)];
  }
}

const leftAlone = ({ path, why }: NotWritten, setup: Setup): string => `${shown(path, setup)} was left alone: ${why}\n`;

/** Takes everything of cra out of the files of the agents: of all agents, if none is named. */
export async function undoSetup(context: Context, named: readonly string[]): Promise<number> {
  const { output } = context;
  const names = named.length > 0 ? named : AGENTS.map(({ id }) => id);
  const setup = askedSetup(context, names, true);
  const files = planned(setup.agents, setup.situation, setup.reader);
  const pieces = new Map(files.map((file) => [file.path, file.pieces]));
  const changed = setup.log.changed();
  const others = named.length > 0 ? [] : changed.filter((path) => !pieces.has(path));
  const undone: { path: string; removed: boolean; diff: string }[] = [];
  const refused: NotWritten[] = [];
  const made: string[] = [];
  for (const path of [...pieces.keys(), ...others]) {
    let changing = path;
    try {
      const { realPath, text } = setup.reader(path);
      changing = realPath;
      if (text === null) continue;
      const { rest, own } = setup.log.undo(realPath, text, pieces.get(path) ?? []);
      if (rest === text) continue;
      made.push(...setup.log.restore(realPath, rest));
      undone.push({ path, removed: rest === null, diff: shownDiff(shown(path, setup), text, rest, own) });
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      if (mayHold(path, setup, changed)) refused.push(notWritten(path, changing, error));
    }
  }
  removeEmpty(made);
  await output.result({
    json: () => ({
      schema_version: 1,
      scope: setup.scope,
      undone: undone.map(({ path, removed }) => ({ path: shown(path, setup), removed })),
      refused: refused.map(({ path, why }) => ({ path: shown(path, setup), why })),
    }),
    text: () =>
      [
        ...undone.map(({ diff }) => diff),
        ...refused.map((file) => leftAlone(file, setup)),
        undone.length === 0
          ? `there is nothing of cra to take out for ${whose(setup)}\n`
          : `undone for ${whose(setup)}\n`,
      ].join(""),
  });
  throwFirst(refused);
  return refused.length > 0 ? 1 : 0;
}

/** Whether a file that cannot be read as it should be may have something of cra: it was changed, or speaks of it, as one of another clone. */
function mayHold(path: string, { reader }: Setup, changed: readonly string[]): boolean {
  try {
    const { realPath, text } = reader(path);
    return changed.includes(realPath) || /(?<![\w-])cra(?:\.exe)?(?![\w-])/.test(text ?? "");
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return changed.includes(path);
  }
}

/** As a user would name it: from the repository, or from the home folder. */
export function shown(path: string, { scope, root, situation }: Pick<Setup, "scope" | "root" | "situation">): string {
  const way = relative(scope === "project" ? root : situation.folders.home, path);
  if (way.startsWith("..")) return path;
  return scope === "project" ? way : `~/${way}`;
}

const whose = ({ scope, root }: Setup): string => (scope === "user" ? "this user" : root);

const STATE_WORDS: Readonly<Record<FilePlan["state"], string>> = {
  added: "to change",
  present: "in order",
  other: "has its own, which stays",
  refused: "left alone",
};

function reportText(files: readonly FilePlan[], setup: Setup): string {
  if (setup.agents.length === 0)
    return `no agent was found; name one: cra setup ${AGENTS.map(({ id }) => id).join(" | ")}\n`;
  const rows = files.map(({ path, whats, agents, state, why }) => [
    shown(path, setup),
    whats.join(", "),
    agents.join(", "),
    why === null ? STATE_WORDS[state] : `${STATE_WORDS[state]}: ${why}`,
  ]);
  const served = new Set(files.flatMap(({ whats, agents }) => (whats.includes("server") ? agents : [])));
  const without = setup.agents.filter(({ id }) => !served.has(id));
  const notes = without.map(
    ({ id, title }) => `${title} has servers for all projects only; add it with: cra setup ${id} --user\n`,
  );
  return `${table(["file", "what", "agents", "state"], rows)}${notes.join("")}`;
}

/** `location`: the text of the options that name the project. */
function closing(
  setup: Setup,
  { due, isWanted, isWritten }: { readonly due: number; readonly isWanted: boolean; readonly isWritten: boolean },
  location: string,
): string {
  const { scope, agents, situation } = setup;
  if (agents.length === 0) return "nothing was written";
  if (due === 0) return "nothing is to be written";
  const where = scope === "user" ? " --user" : location;
  if (isWritten) return `written for ${whose(setup)}; to undo it: cra setup${where} --undo`;
  if (isWanted) return "nothing was written";
  const names = agents.map(({ id }) => id).join(" ");
  return `nothing was written; to write it: cra setup ${names}${where}${situation.hooks ? " --hooks" : ""} --yes`;
}

const reportJson = (files: readonly FilePlan[], setup: Setup, diffs: readonly string[], isWritten: boolean) => ({
  schema_version: 1,
  scope: setup.scope,
  agents: setup.agents.map(({ id }) => id),
  written: isWritten,
  files: files.map(({ path, whats, agents, state, why }) => ({ path: shown(path, setup), whats, agents, state, why })),
  diffs,
});
