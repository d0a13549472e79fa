/** The repositories that `cra serve` is started for, of this machine or of a store, and who may read them. */
import type { Repositories } from "../../app/serving/repositories.ts";
import { Failed } from "../../failure.ts";
import type { Access } from "../../server/access.ts";
import { readNamedFile } from "../input/named-file.ts";
import type { Context } from "../syntax/command.ts";

/** The variable with grants, for those who have no file. */
export const TOKENS_VARIABLE = "CRA_SERVE_TOKENS";
const TOKENS_BYTES_MAX = 16 * 1024 * 1024;

type Serving = { readonly repositories: Repositories; readonly access: Access };

type ServingOptions = {
  readonly freshMs: number;
  /** Whether only this machine reaches the server. */
  readonly isLocal: boolean;
  nowMs(): number;
  report(repository: string, message: string): void;
};

/** Throws usage failures for what contradicts itself or would be open to others, and what opening the repositories does. */
export async function servedRepositories(context: Context, options: ServingOptions): Promise<Serving> {
  const { values } = context;
  const rows = await typedAccess(context);
  const address = values.text("--from");
  if (address !== undefined) {
    const { repositories, grantOf } = await stored(context, address, options);
    const { accessOf, accessThrough } = await import("../../server/access.ts");
    return { repositories, access: rows === null ? accessThrough(grantOf, options.nowMs) : accessOf(rows) };
  }
  const repositories = await local(context, options);
  const { accessOf, OPEN_ACCESS } = await import("../../server/access.ts");
  if (rows !== null) return { repositories, access: accessOf(rows) };
  if (options.isLocal && (await repositories.names()).length === 1) return { repositories, access: OPEN_ACCESS };
  throw new Failed({
    code: "usage",
    message: options.isLocal
      ? "several repositories are served to holders of tokens only"
      : "other machines are served with tokens only",
    next: "say who may read what with --tokens FILE, a line for each token: its SHA-256, a name, repositories",
  });
}

/** The grants of the file or the variable; null without them. */
async function typedAccess({ values, environment }: Context) {
  const { readGrants } = await import("../../server/token-file.ts");
  const file = values.text("--tokens");
  const variable = environment.variables[TOKENS_VARIABLE];
  if (file !== undefined) return readGrants(readNamedFile("--tokens", file, environment.cwd, TOKENS_BYTES_MAX), file);
  return variable === undefined || variable === "" ? null : readGrants(variable, TOKENS_VARIABLE);
}

const dataDirIn = ({ values }: Context): string | null => {
  const typed = values.flags.get("data_dir")?.typed;
  return typeof typed === "string" ? typed : null;
};

async function local(context: Context, options: ServingOptions): Promise<Repositories> {
  const { values, environment } = context;
  const { openLocalRepositories } = await import("../../app/serving/local-repositories.ts");
  const named = values.list("repo");
  const folders = named.length > 0 ? named : [values.text("--repo") ?? environment.cwd];
  return openLocalRepositories({ ...options, environment, folders, dataDir: dataDirIn(context) });
}

async function stored(context: Context, address: string, options: ServingOptions) {
  const { values, environment } = context;
  if (values.list("repo").length > 0 || values.text("--repo") !== undefined)
    throw new Failed({
      code: "usage",
      message: "--from serves what a store has, and repositories of this machine are named too",
      next: "start a server for each",
    });
  const { openStoredRepositories } = await import("../../app/serving/stored-repositories.ts");
  const branches = values.list("--branch");
  return await openStoredRepositories({
    ...options,
    environment,
    store: { address, bucket: values.text("--bucket"), flag: "--from" },
    branches: branches.length > 0 ? branches : DEFAULT_BRANCHES,
    dataDir: dataDirIn(context),
  });
}

const DEFAULT_BRANCHES = ["main", "master"];
