/**
 * The transport of MCP over two streams, one message a line.
 *
 * Lines that cannot be read are answered here, so the SDK sees valid messages only. The end of the input does not close the
 * connection, because `serve.ts` still answers what was asked before it. `docs/decisions/mcp-transport.md` says why the
 * SDK's own transport is not used.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { linesIn } from "./lines.ts";
import { readLine } from "./message.ts";

/** The streams of the process. */
export type Streams = {
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Writes one JSON value as one line; settles when the reader has taken it. */
  send(value: unknown): Promise<void>;
};

type LineTransport = Transport & {
  /** Resolves at the end of the input; rejects when reading fails. */
  readonly ended: Promise<void>;
};

/** The largest messages are a task or a log. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;

/** A client with more unread messages is not read from until it takes them. */
const UNSENT_MAX = 100;

export function lineTransport({ input, send }: Streams): LineTransport {
  let sending: Promise<void> = Promise.resolve();
  let unsent = 0;
  let isClosed = false;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const write = (value: unknown): Promise<void> => {
    unsent += 1;
    sending = sending
      .then(() => send(value))
      .finally(() => {
        unsent -= 1;
      });
    return sending;
  };
  const transport: LineTransport = {
    ended,
    async start() {
      read().then(resolve, reject);
    },
    send: (message: JSONRPCMessage) => write(message),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await sending;
      transport.onclose?.();
    },
  };
  async function read(): Promise<void> {
    for await (const line of linesIn(input, LINE_BYTES_MAX)) {
      if (unsent > UNSENT_MAX) await sending;
      if (isClosed) return;
      const found = readLine(line, LINE_BYTES_MAX);
      if (found.kind === "message") transport.onmessage?.(found.message);
      else if (found.kind === "error") await write(found.error);
    }
  }
  return transport;
}
