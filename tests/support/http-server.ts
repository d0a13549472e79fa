/** Servers of tests on free ports with real listeners: in this process, or the binary. */

import { CLOCK } from "../../src/app/serving/clock-and-ids.ts";
import { openLocalRepositories } from "../../src/app/serving/local-repositories.ts";
import type { Repositories } from "../../src/app/serving/repositories.ts";
import { type Access, OPEN_ACCESS } from "../../src/server/access.ts";
import { namesOf } from "../../src/server/address.ts";
import { type Handler, type Limits, type LogLine, openHandler } from "../../src/server/handler.ts";
import { type Listening, listen } from "../../src/server/server.ts";
import { binary } from "./binary.ts";
import { environmentIn } from "./environment.ts";
import { tempFolder } from "./folder.ts";
import { HANG_MS } from "./hang.ts";
import { briefEnvironment } from "./run-cra.ts";

export type HttpServer = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  readonly handler: Handler;
  readonly log: readonly LogLine[];
  /** Errors that no client saw. */
  readonly bugs: readonly unknown[];
  readonly dataDir: string;
  /** Ends it as a signal does. */
  end(): Promise<void>;
};

export type ServerOptions = {
  readonly folders?: readonly string[];
  /** In the place of folders. */
  readonly repositories?: Repositories;
  readonly access?: Access;
  readonly limits?: Partial<Limits>;
  readonly allowHosts?: readonly string[];
  readonly logsTasks?: boolean;
  readonly freshMs?: number;
  readonly drainMs?: number;
};

const LIMITS: Limits = { aMinute: 100_000, atOnce: 4, timeLimitMs: 120_000, bodyMs: 60_000 };

export function startServer(options: ServerOptions): HttpServer {
  const { folders = [], access = OPEN_ACCESS, limits = {}, allowHosts = [], logsTasks = false } = options;
  const data = tempFolder();
  const [log, bugs, stop]: [LogLine[], unknown[], AbortController] = [[], [], new AbortController()];
  const repositories =
    options.repositories ??
    openLocalRepositories({
      environment: environmentIn(data.path),
      folders,
      dataDir: data.path,
      freshMs: options.freshMs ?? 0,
      report: () => {},
    });
  const all = { ...LIMITS, ...limits };
  const handler = openHandler({
    version: "0",
    clock: CLOCK,
    repositories,
    access,
    names: namesOf({ host: "127.0.0.1", port: 0 }, allowHosts),
    limits: all,
    logsTasks,
    log: (line) => log.push(line),
    failureIn: (error) => error,
    onBug: (thrown) => bugs.push(thrown),
  });
  const listening: Listening = listen(handler, {
    ...{ host: "127.0.0.1", port: 0 },
    ...{ timeLimitMs: all.timeLimitMs, nowMs: CLOCK.nowMs },
  });
  const ended = listening.ended(stop.signal, options.drainMs ?? 10_000).then(() => repositories.close());
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  return {
    url: listening.url,
    port: Number(new URL(listening.url).port),
    handler,
    log,
    bugs,
    dataDir: data.path,
    end,
    async [Symbol.asyncDispose]() {
      await end();
      data[Symbol.dispose]();
    },
  };
}

/** Sends a request of the JSON API. */
export const post = (
  { url }: Pick<HttpServer, "url">,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });

/** The binary as a server. */
export type ServerProcess = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  /** The lines of its log so far. */
  lines(): readonly Readonly<Record<string, unknown>>[];
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number>;
};

/** Starts the binary on a free port, and waits until every repository can answer. */
export async function startServerProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const home = tempFolder();
  const child = Bun.spawn([await binary(), "serve", "--listen", "127.0.0.1:0", ...args], {
    cwd: home.path,
    env: { ...briefEnvironment(home.path), ...env },
    stdout: "pipe",
    stderr: "pipe",
    timeout: HANG_MS,
    killSignal: "SIGKILL",
  });
  let text = "";
  const lines = () =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line): Record<string, unknown> => JSON.parse(line));
  const reading = (async () => {
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) text += chunk;
  })();
  while (!text.includes('"event":"ready"') && child.exitCode === null) await Bun.sleep(10);
  const url = String(lines().find(({ event }) => event === "listening")?.url);
  return {
    url,
    port: Number(new URL(url).port),
    lines,
    kill: (signal) => child.kill(signal),
    exited: child.exited.then(async (code) => {
      await reading;
      return code;
    }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      home[Symbol.dispose]();
    },
  };
}
