/**
 * Listens, hands requests to the handler, and ends without cutting off an answer: from the signal on it takes no new request, waits for
 * those that are open, and then closes.
 */
import type { Clock } from "../app/serving/clock-and-ids.ts";
import type { Address } from "./address.ts";
import type { Handler } from "./handler.ts";

export type Listening = {
  readonly url: string;
  /** Waits for the signal, then for open requests, at most for `drainMs`. */
  ended(signal: AbortSignal, drainMs: number): Promise<void>;
};

/** A connection on which nothing moves is closed, such as one whose headers come byte by byte. */
const IDLE_SECONDS = 15;
/** The largest number that Bun takes. */
const IDLE_SECONDS_MAX = 255;
/** How often it is looked whether all requests are answered. */
const LOOK_MS = 20;

/** `timeLimitMs` is that of a request. */
type ListenOptions = Address & Pick<Clock, "nowMs"> & { readonly timeLimitMs: number };

/** Throws what Bun throws when the address cannot be listened on. */
export function listen(handler: Handler, { host, port, timeLimitMs, nowMs }: ListenOptions): Listening {
  /** Waits until no request is open, at most `mostMs`. Each look waits for other work, so the number of looks does not measure time. */
  const allAnswered = async (mostMs: number): Promise<void> => {
    const endMs = nowMs() + mostMs;
    while (handler.open() > 0 && nowMs() < endMs) await Bun.sleep(LOOK_MS);
  };
  const quietSeconds = Math.min(IDLE_SECONDS_MAX, Math.ceil(timeLimitMs / 1_000) + IDLE_SECONDS);
  const server: Bun.Server<undefined> = Bun.serve({
    hostname: host,
    port,
    idleTimeout: IDLE_SECONDS,
    // No page with a stack, whatever goes wrong.
    development: false,
    // Without development, Bun shares the port with whoever listens there too.
    reusePort: false,
    // The handler refuses large bodies with a document.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch(request, bun) {
      bun.timeout(request, quietSeconds);
      return handler.answer(request, bun.requestIP(request)?.address ?? "");
    },
    error: () => new Response(null, { status: 500 }),
  });
  return {
    url: server.url.href.replace(/\/$/, ""),
    async ended(signal, drainMs) {
      if (!signal.aborted)
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      handler.refuse();
      void server.stop();
      await allAnswered(drainMs);
      await handler.stop();
      await allAnswered(STOPPING_MS);
      await server.stop(true);
    },
  };
}

/** Work that is told to stop does so in a moment. */
const STOPPING_MS = 1_000;
