/**
 * The two streams as a transport of the protocol: one message a line, and nothing else on either.
 *
 * What cannot be read is answered here, so the protocol's own part sees messages alone. Messages go out in the order
 * in which they were sent. The end of the input is not the end of the connection: what was asked before it is answered
 * (`serve.ts`).
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { linesIn } from "./lines.ts";
import { readLine } from "./message.ts";

/** The streams, as the process has them. */
export type Streams = {
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Writes one JSON value as one line; settles when it has been taken. */
  send(value: unknown): Promise<void>;
};

/** A transport that also says when its input has ended. */
export type LineTransport = Transport & {
  /** Settles with the end of the input; rejects when reading it fails. */
  readonly ended: Promise<void>;
};

/** Messages are a task or a log at most; `readLine` answers what is larger. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;

/** A client that takes none of so many messages is heard again when it does. */
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
