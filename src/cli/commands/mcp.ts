/**
 * `cra mcp`: the server that coding agents call, on standard input and output, until the input ends.
 *
 * Standard output has the protocol and nothing else: whatever a part of the program prints goes to standard error.
 * Each call opens the repository anew, so it sees what others wrote meanwhile, and settings that were changed.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failed } from "../../failure.ts";
import { LIMITS } from "../../mcp/limits.ts";
import { recordBug } from "../output/bug-report.ts";
import { machineFailure } from "../output/resource-failure.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";
import { escalationText } from "./escalate.ts";
import { explanationJson, explanationText } from "./explain.ts";
import { hitJson, hitText } from "./search.ts";
import { statusJson, statusText } from "./status.ts";

export const run: Runner = async (context) => {
  const { values, output, input, environment, signal } = context;
  keepOffOutput();
  if (input.canAsk) await output.say("cra: this speaks with coding agents, which start it themselves; Ctrl-C ends it");
  const { serve } = await import("../../mcp/serve.ts");
  const { VERSION } = await import("../../version.ts");
  const budget = values.whole("--budget");
  const place = await startedFor(context);
  await serve(
    {
      version: VERSION.version,
      limits: budget === undefined ? LIMITS : { budgetDefault: budget, budgetMax: budget },
      isTextOnly: values.switch("--text-only"),
      wording: {
        hitText,
        hitJson,
        explanationText: (found) => explanationText(found, false),
        explanationJson,
        statusText,
        statusJson,
        escalationText,
      },
      input: input.bytes(),
      send: output.jsonLine,
      isPlaced: place !== null,
      withApp: async (folder, stop, work) => {
        const repo = place ?? folder ?? plainFolder(context);
        return await withApp({ ...context, signal: stop }, appRequest(context, [], repo), work);
      },
      failureIn: machineFailure,
      onBug: (thrown) => void output.say(recordBug(thrown, environment.variables)),
    },
    signal,
  );
  return 0;
};

/** The repository that `--repo` names or that the working folder is in; null where neither is one for certain. */
async function startedFor({ values, environment }: Context): Promise<string | null> {
  const named = values.text("--repo");
  if (named !== undefined) return named;
  const { findRepository } = await import("../../source/git/folders.ts");
  const { root, kind } = findRepository(environment.cwd);
  return kind === "work-tree" || (kind === "folder" && existsSync(join(root, ".cra"))) ? root : null;
}

/**
 * A working folder that is no repository is taken for one, as by other commands, but for those that clients start servers
 * in when they have no better one: nobody wants a home folder indexed because an agent was asked something.
 */
function plainFolder({ environment }: Context): string {
  const { cwd, variables } = environment;
  const isNowhere = dirname(cwd) === cwd || resolve(variables.HOME ?? variables.USERPROFILE ?? "") === cwd;
  if (!isNowhere) return cwd;
  throw new Failed({
    code: "no-repository",
    path: cwd,
    why: "this server was started there, and its client names no other folder; start it as cra mcp --repo FOLDER",
  });
}

/** Libraries that want to say something say it on the side. */
function keepOffOutput(): void {
  const { error } = console;
  Object.assign(console, { log: error, info: error, debug: error, dir: error, table: error });
}
