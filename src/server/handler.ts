/**
 * Answers HTTP requests. Every request passes the same doors in this order: the names of the server, the route, the token, the rate, the
 * body. Only then is a repository asked.
 */

import type { Clock } from "../app/serving/clock-and-ids.ts";
import type { Repositories } from "../app/serving/repositories.ts";
import { Failed } from "../failure.ts";
import type { Access, Caller } from "./access.ts";
import { hasSeveralHosts, strangeHeaders } from "./address.ts";
import { type Asker, ENDING, openAsker, refusalFor } from "./ask.ts";
import { type Body, hasUnreadBody, readBody } from "./body.ts";
import { EVENT_STREAM, eventStream, wantsEvents } from "./event-stream.ts";
import { callsIn, type McpHandler, openMcpHandler } from "./mcp-handler.ts";
import { openMetrics } from "./metrics.ts";
import { openApi, type RepositoryList } from "./openapi.ts";
import { OPERATIONS, type Operation } from "./operations.ts";
import { BUSY, problemResponse, type Refusal, refusalOf } from "./problem.ts";
import { rateLimit } from "./rate.ts";
import { requestPath } from "./request-path.ts";
import { type Stop, stopOf } from "./stop.ts";
import { withEnd } from "./stream-end.ts";

type HandlerDeps = {
  readonly version: string;
  readonly clock: Clock;
  readonly repositories: Repositories;
  readonly access: Access;
  /** By which requests may call the server, in lower case. */
  readonly names: readonly string[];
  readonly limits: Limits;
  /** Whether the log is told the texts of tasks. */
  readonly logsTasks: boolean;
  log(line: LogLine): void;
  failureIn(error: unknown): unknown;
  onBug(thrown: unknown): void;
};

/** A body that does not arrive within `bodyMs` is not waited for. */
export type Limits = {
  readonly aMinute: number;
  readonly atOnce: number;
  readonly timeLimitMs: number;
  readonly bodyMs: number;
};

export type LogLine = Readonly<Record<string, string | number | undefined>>;

export type Handler = {
  /** Never rejects. `address` is that of the client. */
  answer(request: Request, address: string): Promise<Response>;
  /** How many requests have no complete answer yet. */
  open(): number;
  /** From now on requests are refused; those that are open go on. */
  refuse(): void;
  /** Ends all that is open. */
  stop(): Promise<void>;
};

/** Requests that may be open at the same time. */
const OPEN_MAX = 1_000;

/** A request on its way, and what the log will say of it. */
type Passing = {
  readonly id: string;
  readonly request: Request;
  readonly address: string;
  readonly stop: Stop;
  note(fields: LogLine): void;
};

type Parts = HandlerDeps & { readonly asker: Asker; readonly mcp: McpHandler };

/** A row of the table of routes. `open`: no token is needed, and nothing of a repository is said. */
type Route = {
  readonly method: "GET" | "POST" | "*";
  readonly path: string;
} & (
  | { readonly open: () => Promise<Response> }
  | { readonly answer: (passing: Passing, caller: Caller, body: Body | null) => Promise<Response | Refusal> }
);

export function openHandler(deps: HandlerDeps): Handler {
  const { clock, log, limits, repositories, version } = deps;
  const asker = openAsker({ ...deps, atOnce: limits.atOnce });
  const mcp = openMcpHandler({ ...deps, asker });
  const metrics = openMetrics(version);
  const ending = new AbortController();
  const rates = rateLimit(limits.aMinute);
  let [open, isRefusing] = [0, false];
  const readiness = async (): Promise<string | null> => (isRefusing ? "the server ends" : await repositories.missing());
  const numbers = async () => ({
    running: asker.running(),
    waiting: asker.waiting(),
    isReady: (await readiness()) === null,
  });
  const routes = [
    ...openRoutes(version, readiness, async () => metrics.text(await numbers())),
    ...OPERATIONS.map((row) => operationRoute({ ...deps, asker, mcp }, row)),
    ...otherRoutes({ ...deps, asker, mcp }),
  ];
  const refusalBefore = (passing: Passing): Refusal | null => {
    const strange = strangeHeaders(passing.request.headers, deps.names);
    if (strange !== null) return { status: 403, code: "strange-host", detail: strange };
    return isRefusing ? ENDING : open > OPEN_MAX ? BUSY : null;
  };
  const answered = async (passing: Passing, route: Route | Refusal): Promise<Response | Refusal> => {
    if (hasSeveralHosts(passing.request.headers)) return SEVERAL_HOSTS;
    if ("status" in route) return route;
    if ("open" in route) return await route.open();
    return refusalBefore(passing) ?? (await guarded(passing, route, deps, rates));
  };
  return {
    open: () => open,
    refuse() {
      isRefusing = true;
    },
    async stop() {
      ending.abort();
      await mcp.close();
    },
    async answer(request, address) {
      open += 1;
      const startedMs = clock.nowMs();
      const id = clock.newId();
      const stop = stopOf(request.signal, ending.signal, limits.timeLimitMs);
      const route = routeOf(request, routes);
      const name = "status" in route ? "none" : route.path;
      let noted: LogLine = {};
      const note = (more: LogLine): void => {
        noted = { ...noted, ...more };
      };
      const passing = { id, request, address, stop, note };
      const end = (status: number, bytes: number): void => {
        open -= 1;
        stop.release();
        const ms = Math.round(clock.nowMs() - startedMs);
        metrics.finished(name, status, ms);
        const gone = stop.why() === "gone" ? { ended: "client gone" } : {};
        const asked = { id, address, method: request.method, route: name };
        log({ time: clock.time(), event: "request", ...asked, ...noted, status, ms, bytes, ...gone });
      };
      const response = await answered(passing, route).catch((thrown: unknown) => refusalFor(thrown, stop, deps));
      return withEnd(complete(response, passing), end);
    },
  };
}

/** A proxy and a server that each go by another one of them do not speak of the same request. */
const SEVERAL_HOSTS: Refusal = { status: 400, code: "strange-host", detail: "the request has several Host headers" };

function complete(answer: Response | Refusal, { id, request }: Passing): Response {
  const response = answer instanceof Response ? answer : problemResponse(answer, id);
  // Otherwise all of the body would be taken, however long it is, to find the next request after it.
  if (hasUnreadBody(request)) response.headers.set("connection", "close");
  response.headers.set("x-request-id", id);
  response.headers.set("x-content-type-options", "nosniff");
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  return response;
}

/** The row for a request, or why there is none. */
function routeOf({ url, method }: Request, routes: readonly Route[]): Route | Refusal {
  const pathname = requestPath(url);
  const here = routes.filter(({ path }) => path === pathname);
  // HEAD asks for what GET answers, without its body, which Bun leaves out.
  const asked = method === "HEAD" ? "GET" : method;
  const found = here.find((row) => row.method === asked || row.method === "*");
  if (found !== undefined) return found;
  if (here.length === 0)
    return { status: 404, code: "no-route", detail: "there is nothing here; see GET /openapi.json" };
  const allow = here.map((row) => row.method).join(", ");
  return { status: 405, code: "no-method", detail: `send it as ${allow}`, headers: { allow } };
}

/** Lets in who has a token, as often as is allowed, with a body that can be read. */
async function guarded(
  passing: Passing,
  route: Extract<Route, { readonly answer: unknown }>,
  { access, clock, limits }: HandlerDeps,
  rates: ReturnType<typeof rateLimit>,
): Promise<Response | Refusal> {
  const { request, address, stop } = passing;
  const caller = await access.callerOf(request.headers.get("authorization"));
  const key = caller === null ? `address ${address}` : `caller ${caller.name}`;
  const wait = rates.take(key, clock.nowMs());
  if (caller !== null) passing.note({ caller: caller.name });
  if (wait > 0)
    return { status: 429, code: "too-many", detail: `too many requests; ask again in ${wait} s`, retryAfter: wait };
  if (caller === null)
    return {
      status: 401,
      code: "no-token",
      detail: "no token that this server knows; send Authorization: Bearer and the token",
      headers: { "www-authenticate": 'Bearer realm="cra"' },
    };
  if (request.method !== "POST") return await route.answer(passing, caller, null);
  const body = await readBody(request, AbortSignal.any([stop.signal, AbortSignal.timeout(limits.bodyMs)]));
  if ("status" in body) return body;
  rates.charge(key, callsIn(body.value) - 1, clock.nowMs());
  return await route.answer(passing, caller, body);
}

const json = (value: unknown, status = 200): Response =>
  new Response(`${JSON.stringify(value, null, 2)}\n`, { status, headers: { "content-type": "application/json" } });

/** What tells how the server is. It says nothing of any repository, so it needs no token. */
const openRoutes = (
  version: string,
  missing: () => Promise<string | null>,
  metrics: () => Promise<string>,
): readonly Route[] => [
  { method: "GET", path: "/healthz", open: async () => json({ status: "alive" }) },
  {
    method: "GET",
    path: "/readyz",
    async open() {
      const why = await missing();
      return why === null ? json({ status: "ready" }) : json({ status: "not ready", why }, 503);
    },
  },
  {
    method: "GET",
    path: "/metrics",
    open: async () =>
      new Response(await metrics(), { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } }),
  },
  { method: "GET", path: "/openapi.json", open: async () => json(openApi(version)) },
];

/** MCP answers other methods by its own rules. */
const otherRoutes = ({ asker, mcp }: Parts): readonly Route[] => [
  {
    method: "GET",
    path: "/v1/repositories",
    async answer(_, caller) {
      const list: typeof RepositoryList._output = { schema_version: 1, repositories: await asker.granted(caller) };
      return json(list);
    },
  },
  {
    method: "*",
    path: "/mcp",
    async answer({ request, stop, note }, caller, body) {
      const { url, method, headers } = request;
      const copy = new Request(url, {
        method,
        headers,
        ...(body === null ? {} : { body: body.text }),
        signal: stop.signal,
      });
      return await mcp.answer(copy, { caller, stop, note });
    },
  },
];

const operationRoute = ({ asker, logsTasks }: Parts, { path, prepared }: Operation): Route => ({
  method: "POST",
  path,
  async answer({ id, request, stop, note }, caller, body) {
    const question = preparedOrRefused(prepared, body?.value);
    if ("status" in question) return question;
    const { repository, asked, hasEvents, answer } = question;
    if (logsTasks) note({ task: asked });
    const to = { caller, repository, stop, onRepository: (name: string) => note({ repository: name }) };
    if (!wantsEvents(request) || !hasEvents) {
      const outcome = await asker.ask(to, (app) => answer({ app, signal: stop.signal, onEvent: null }));
      if ("refusal" in outcome) return outcome.refusal;
      return new Response(outcome.answer.text, { headers: { "content-type": outcome.answer.type } });
    }
    const { events, body: stream } = eventStream(stop.end);
    const begun = Promise.withResolvers<null>();
    const outcome = asker.ask(to, async (app) => {
      begun.resolve(null);
      const onEvent = (event: { readonly event: string }): void =>
        events.send(event.event, JSON.stringify(app.redactor.value(event)));
      return await answer({ app, signal: stop.signal, onEvent });
    });
    // What is refused before its turn is refused with its status.
    const early = await Promise.race([outcome, begun.promise]);
    if (early !== null && "refusal" in early) return early.refusal;
    void outcome.then(async (done) => {
      if ("answer" in done) events.send("answer", done.answer.text);
      else events.send("problem", await problemResponse(done.refusal, id).text());
      events.close();
    });
    return new Response(stream, { headers: { "content-type": EVENT_STREAM } });
  },
});

function preparedOrRefused(prepared: Operation["prepared"], value: unknown) {
  try {
    return prepared(value);
  } catch (error) {
    if (error instanceof Failed) return refusalOf(error.failure);
    throw error;
  }
}
