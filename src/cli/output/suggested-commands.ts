/**
 * Completes the commands that failures and notices suggest, so that they work as they are printed.
 *
 * What suggests a command knows neither the repository that was named on the command line nor the address of a store.
 */
import { relative, resolve } from "node:path";
import { type Failure, sentence } from "../../failure.ts";
import { locationWords, namedRepository, optionText } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";

type Run = Pick<Context, "values" | "table" | "environment">;

/** A command in a sentence, behind advice such as "run: ", with the variables that it is given. Help needs no options. */
const SUGGESTED = /(?<=[:;] (?:[A-Z_]+=\S+ )?)cra (?<name>[a-z]+)\b(?! --help)/g;

/** These commands open no repository. */
const WITHOUT_REPOSITORY: ReadonlySet<string> = new Set(["completions", "man", "schema", "store", "work"]);

/** The options that name a store: one of them in the run, and which one a suggested command needs. */
const STORE_FLAGS = ["--to", "--from", "--at"] as const;
const STORE_FLAG_OF: ReadonlyMap<string, string> = new Map([
  ["push", "--to"],
  ["store", "--at"],
]);
/** What else says where something is in a store. */
const IN_STORE = ["--name", "--bucket", "--branch"] as const;

/** The sentence of a failure, for the run that it stopped. */
export function failureSentence(failure: Failure, run: Run): string {
  const isOfAnother = failure.code === "not-indexed" && failure.next === undefined && !isAsked(failure.repo, run);
  return completed(sentence(failure), run, isOfAnother ? ["--repo", failure.repo] : locationWords(run.values));
}

/** A sentence whose suggested commands have the options that `location` and the store of the run take. */
export function completed(
  text: string,
  { values, table }: Pick<Run, "values" | "table">,
  location: readonly string[] = locationWords(values),
): string {
  return text.replaceAll(SUGGESTED, (words, name: string) => {
    const command = table.commands.find((row) => row.name === name);
    if (command === undefined) return words;
    const where = WITHOUT_REPOSITORY.has(name) ? [] : location;
    return `${words}${optionText([...where, ...storeWords(command, values)])}`;
  });
}

/** Whether a run in the current folder, or in the one that was named, is about this repository and not about a further one. */
function isAsked(repo: string, { values, environment }: Run): boolean {
  return !relative(repo, resolve(environment.cwd, namedRepository(values) ?? ".")).startsWith("..");
}

function storeWords({ name, options }: Command, values: Values): readonly string[] {
  const flag = STORE_FLAG_OF.get(name);
  const address = STORE_FLAGS.map((one) => values.typed(one)).find((typed) => typed !== undefined);
  if (flag === undefined || address === undefined) return [];
  const taken = IN_STORE.filter((one) => options.some((option) => option.flag === one && !option.repeatable));
  const more = taken.flatMap((one) => {
    const typed = values.typed(one);
    return typed === undefined ? [] : [one, typed];
  });
  return [flag, address, ...more];
}
