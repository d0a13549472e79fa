/**
 * `cra mcp`: the server for coding agents, until its input ends. Standard output carries the protocol and nothing else.
 *
 * Each call opens the repository again, so it sees changes of the index and of the settings.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../failure.ts";
import { LIMITS } from "../../mcp/limits.ts";
import { VERSION } from "../../version.ts";
import { REPOS } from "../options/selecting-options.ts";
import { recordBug } from "../output/bug-report.ts";
import { machineFailure } from "../output/resource-failure.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withAppOf } from "../with-app.ts";

export const MCP: Command = {
  name: "mcp",
  summary: "serve coding agents on standard input and output (Model Context Protocol)",
  arguments: [],
  options: [
    {
      flag: "--budget",
      value: "tokens",
      whole: { least: 100, most: 1_000_000 },
      summary: `tokens of a package, both default and maximum (otherwise ${LIMITS.budgetDefault} and ${LIMITS.budgetMax})`,
    },
    ...REPOS,
    {
      flag: "--tools",
      value: "names",
      summary: "tools to list besides retrieve, refine, read, search and explain: all, or names with commas between",
    },
    { flag: "--structured", summary: "answer with structured content instead of text, for programs" },
  ],
  examples: [
    {
      line: "cra mcp",
      does: "agents start it; cra setup registers it with them",
    },
    { line: "cra mcp --repo ~/code/app", does: "serve one repository, wherever it is started" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output, input, environment, signal } = context;
  redirectConsole();
  if (input.canAsk) await output.say("cra: serving coding agents, which start cra mcp themselves; stop with Ctrl-C");
  const { serve } = await import("../../mcp/serve.ts");
  const { listedTools } = await import("../../mcp/tools/tools.ts");
  const tools = listedTools((values.text("--tools") ?? "").split(",").filter((name) => name !== ""));
  const budget = values.whole("--budget");
  const known = await knownRepository(context);
  await serve(
    {
      version: VERSION.version,
      limits: budget === undefined ? LIMITS : { budgetDefault: budget, budgetMax: budget },
      isStructured: values.switch("--structured"),
      tools,
      input: input.bytes(),
      send: output.jsonLine,
      isPlaced: known !== null,
      withApp: async (folder, stop, work) => {
        const repo = known ?? (await plainFolder(context, folder));
        return await withAppOf({ ...context, signal: stop }, appRequest(context, [], repo), work);
      },
      failureIn: machineFailure,
      onBug: (thrown) => void output.say(recordBug(thrown, environment.variables)),
    },
    signal,
  );
  return 0;
}

/** The repository that `--repo` names or that contains the current folder; null if the current folder is in none. */
async function knownRepository({ values, environment }: Context): Promise<string | null> {
  const named = values.text("--repo");
  if (named !== undefined) return named;
  const { findRepository } = await import("../../source/git/folders.ts");
  const { root, kind } = findRepository(environment.cwd);
  return kind === "work-tree" || (kind === "folder" && existsSync(join(root, ".cra"))) ? root : null;
}

/**
 * The folder that the client names, or the current one, which need not be a repository. Throws for the root and the home folder unless
 * they were indexed: clients start servers there when they have no better folder.
 */
async function plainFolder({ environment }: Context, named: string | null): Promise<string> {
  const { cwd, variables } = environment;
  const { isStartFolder } = await import("../../app/workspace/environment.ts");
  const folder = named ?? cwd;
  if (!isStartFolder(folder, variables) || existsSync(join(folder, ".cra"))) return folder;
  const why =
    named === null
      ? "this server was started there and its client names no other folder"
      : "its client names no other folder";
  throw new Failed({ code: "no-repository", path: folder, why, next: "start it as cra mcp --repo FOLDER" });
}

/** Sends what libraries print to standard error: standard output carries the protocol. */
function redirectConsole(): void {
  const { error } = console;
  Object.assign(console, { log: error, info: error, debug: error, dir: error, table: error });
}
