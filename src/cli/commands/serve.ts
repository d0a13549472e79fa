/**
 * `cra serve`: answers over HTTP, for many clients and several repositories, until a signal ends it. Standard error carries its log, one
 * JSON object a line.
 */
import { Failed } from "../../failure.ts";
import { errorCode } from "../../text/system-errors.ts";
import { VERSION } from "../../version.ts";
import { recordBug } from "../output/bug-report.ts";
import { machineFailure } from "../output/resource-failure.ts";
import { TOKENS_VARIABLE } from "../requests/served-repositories.ts";
import type { Command, Context } from "../syntax/command.ts";

/** For readers of help; the limits of a request are these unless an option says otherwise. */
const DEFAULTS = { listen: "127.0.0.1:7420", rate: 600, atOnce: 4, timeLimit: 60, refresh: 5, drain: 10 } as const;

export const SERVE: Command = {
  name: "serve",
  summary: "answer over HTTP: MCP and a JSON API, for a team and several repositories",
  arguments: [
    {
      name: "repo",
      summary: "repositories of this machine; by default the one around the current folder",
      required: false,
      variadic: true,
      completes: "folder",
    },
  ],
  options: [
    {
      flag: "--from",
      value: "address",
      summary: "serve what was pushed to this store, such as postgres://server@db/cra",
    },
    {
      flag: "--bucket",
      value: "address",
      summary: "bucket that holds the store's chunks, as s3://bucket/folder",
      needs: ["--from"],
    },
    {
      flag: "--branch",
      value: "name",
      repeatable: true,
      summary:
        "branch to serve from the store; of several, the first that was pushed (default main, then master, then any)",
      needs: ["--from"],
    },
    { flag: "--listen", value: "host:port", summary: `where to listen (default ${DEFAULTS.listen})` },
    {
      flag: "--tokens",
      value: "file",
      summary: `who may read what: a line for each token, with its SHA-256, a name and repositories; or ${TOKENS_VARIABLE}`,
      completes: "file",
    },
    {
      flag: "--allow-host",
      value: "name",
      repeatable: true,
      summary: "another name that clients may use for the server, as behind a proxy (Host and Origin)",
    },
    {
      flag: "--rate",
      value: "requests",
      whole: { least: 1, most: 1_000_000 },
      summary: `requests a minute for each token (default ${DEFAULTS.rate})`,
    },
    {
      flag: "--at-once",
      value: "requests",
      whole: { least: 1, most: 64 },
      summary: `requests to work on at the same time (default ${DEFAULTS.atOnce})`,
    },
    {
      flag: "--time-limit",
      value: "seconds",
      whole: { least: 1, most: 240 },
      summary: `seconds that a request may take (default ${DEFAULTS.timeLimit})`,
    },
    {
      flag: "--refresh",
      value: "seconds",
      whole: { least: 0, most: 86_400 },
      summary: `seconds after which an index is compared with its source again (default ${DEFAULTS.refresh})`,
    },
    {
      flag: "--drain",
      value: "seconds",
      whole: { least: 0, most: 600 },
      summary: `seconds to wait for open requests after a signal (default ${DEFAULTS.drain})`,
    },
    { flag: "--log-tasks", summary: "write the texts of tasks and queries into the log" },
  ],
  examples: [
    { line: "cra serve", does: "this repository, for programs on this machine" },
    {
      line: "cra serve ~/code/api ~/code/web --tokens tokens.txt",
      does: "two repositories, for clients that have a token",
    },
    { line: "cra serve --from postgres://server@db/cra", does: "what was pushed with --with-text, without a checkout" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output, environment, signal } = context;
  const [{ listen }, { openHandler }, { namesOf, readAddress }, { isLoopback }, { CLOCK }] = await Promise.all([
    import("../../server/server.ts"),
    import("../../server/handler.ts"),
    import("../../server/address.ts"),
    import("../../text/loopback.ts"),
    import("../../app/serving/clock-and-ids.ts"),
  ]);
  const { servedRepositories } = await import("../requests/served-repositories.ts");
  const seconds = (flag: string, otherwise: number): number => (values.whole(flag) ?? otherwise) * 1_000;
  const address = readAddress(values.text("--listen") ?? DEFAULTS.listen);
  const names = namesOf(address, values.list("--allow-host"));
  const log = (line: Readonly<Record<string, unknown>>): void => void output.logLine(line);
  const event = (name: string, more: Readonly<Record<string, unknown>> = {}): void =>
    log({ time: CLOCK.time(), event: name, ...more });
  const onBug = (thrown: unknown): void =>
    thrown instanceof Failed
      ? event("failure", { message: thrown.message })
      : event("bug", { message: recordBug(thrown, environment.variables).trim() });
  const { repositories, access } = await servedRepositories(context, {
    freshMs: seconds("--refresh", DEFAULTS.refresh),
    isLocal: isLoopback(address.host),
    nowMs: CLOCK.nowMs,
    report: (repository, message) => event("notice", { repository, message }),
  });
  const timeLimitMs = seconds("--time-limit", DEFAULTS.timeLimit);
  const handler = openHandler({
    version: VERSION.version,
    clock: CLOCK,
    repositories,
    access,
    names,
    limits: {
      aMinute: values.whole("--rate") ?? DEFAULTS.rate,
      atOnce: values.whole("--at-once") ?? DEFAULTS.atOnce,
      timeLimitMs,
      bodyMs: BODY_MS,
    },
    logsTasks: values.switch("--log-tasks"),
    log,
    failureIn: machineFailure,
    onBug,
  });
  const drainMs = seconds("--drain", DEFAULTS.drain);
  context.takeTime(drainMs + ENDING_MS);
  const server = listening(() => listen(handler, { ...address, timeLimitMs, nowMs: CLOCK.nowMs }));
  event("listening", { url: server.url, repositories: (await repositories.names()).length, version: VERSION.version });
  const prepared = repositories.prepare(signal).then(() => {
    if (!signal.aborted) event("ready");
  }, onBug);
  await server.ended(signal, drainMs);
  await repositories.close();
  await prepared;
  event("ended");
  return 0;
}

/** No body of a few MiB takes longer, unless its sender wants it to. */
const BODY_MS = 10_000;

/** What the end takes besides waiting for requests. */
const ENDING_MS = 5_000;

function listening<T>(begin: () => T): T {
  try {
    return begin();
  } catch (error) {
    const code = errorCode(error);
    if (code === null) throw error;
    const message = code === "EADDRINUSE" ? "another program listens there" : `it cannot be listened on (${code})`;
    throw new Failed({ code: "io", where: "--listen", message, next: "choose another port" }, { cause: error });
  }
}
