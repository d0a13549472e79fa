/** The repository, folders and settings that the arguments name, for every command. */
import { resolve } from "node:path";
import type { AppRequest } from "../../app/workspace/environment.ts";
import { type ConfigKey, keyFacts } from "../../config/keys.ts";
import { flagLayer, type Layer, type TypedFlag } from "../../config/settings.ts";
import { Failed } from "../../failure.ts";
import { storedEntry } from "../../store/stored-entries.ts";
import { shellWord } from "../../text/shell-word.ts";
import type { Argument, Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";

export const REPO_ARGUMENT: Argument = {
  name: "repo",
  summary: "the repository",
  required: false,
  completes: "folder",
};

/** What was typed for `REPO_ARGUMENT`. Throws a usage failure when `--repo` was given too. */
export function repoArgument(values: Values): string | undefined {
  const folder = values.argument("repo");
  if (folder !== undefined && values.text("--repo") !== undefined)
    throw new Failed({ code: "usage", message: "the repository is named twice", next: "leave out --repo" });
  return folder;
}

/** `repo` takes precedence over `--repo`; `more` are further layers, weaker than the flags. */
export function appRequest(
  { values, environment }: Pick<Context, "values" | "environment">,
  more: readonly Layer[] = [],
  repo?: string,
): AppRequest {
  const named = repo ?? values.text("--repo");
  return {
    environment,
    repo: named === undefined ? null : resolve(environment.cwd, named),
    flags: [flagLayer(fromStore(values, fromFolder(environment.cwd, values.flags))), ...more],
  };
}

/** Typed paths are relative to the current folder. */
function fromFolder(cwd: string, flags: ReadonlyMap<ConfigKey, TypedFlag>): ReadonlyMap<ConfigKey, TypedFlag> {
  return new Map(
    [...flags].map(([key, { flag, typed }]) => {
      const isPath = keyFacts(key).isPath === true && typeof typed === "string";
      return [key, { flag, typed: isPath ? resolve(cwd, typed) : typed }];
    }),
  );
}

/** `--repos` names repositories of the store that `--from` names; paths are of this machine. */
function fromStore(
  { text }: Pick<Values, "text">,
  flags: ReadonlyMap<ConfigKey, TypedFlag>,
): ReadonlyMap<ConfigKey, TypedFlag> {
  const repos = flags.get(REPOS);
  const address = repos === undefined ? undefined : text("--from");
  if (repos === undefined || address === undefined) return flags;
  const names = [repos.typed].flat().flatMap((typed) => typed.split(","));
  const typed = names.filter((name) => name !== "").map((name) => storedEntry(address, text("--bucket"), name));
  return new Map(flags).set(REPOS, { ...repos, typed });
}

const REPOS = "workspace.repos" satisfies ConfigKey;

/** Options as text for a shell, behind the words of a command: a flag and its value in turn. */
export const optionText = (words: readonly string[]): string =>
  words.map((word, at) => ` ${at % 2 === 0 ? word : shellWord(word)}`).join("");

/** The words of `locationWords` as text for a shell, behind the words of a command. */
export const locationText = (values: Values): string => optionText(locationWords(values));

/** The repository as it was typed, as an option or an argument. */
export const namedRepository = (values: Values): string | undefined =>
  values.text("--repo") ?? values.typed(REPO_ARGUMENT.name);

/** `--repo` and `--data-dir` as they were typed, for a command that the user can run next. */
export function locationWords(values: Values): readonly string[] {
  const typed = [
    ["--repo", namedRepository(values)],
    ["--data-dir", values.flags.get("data_dir")?.typed],
  ] as const;
  return typed.flatMap(([flag, folder]) => (typeof folder === "string" ? [flag, folder] : []));
}
