/** An answer as server-sent events: what happens on the way, then the answer or the problem, which is the last event. */

export type Events = {
  send(event: string, data: string): void;
  close(): void;
};

/** `onGone` is called when the client stops reading. */
export function eventStream(onGone: () => void): {
  readonly events: Events;
  readonly body: ReadableStream<Uint8Array>;
} {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel() {
      controller = null;
      onGone();
    },
  });
  return {
    body,
    events: {
      // A line end would end the field, so each line of the data is a field of its own. JSON has no other line ends.
      send: (event, data) =>
        controller?.enqueue(encoder.encode(`event: ${event}\ndata: ${data.replaceAll("\n", "\ndata: ")}\n\n`)),
      close() {
        controller?.close();
        controller = null;
      },
    },
  };
}

export const EVENT_STREAM = "text/event-stream";

/** Whether the client asks for events rather than for one document. */
export const wantsEvents = ({ headers }: Pick<Request, "headers">): boolean =>
  (headers.get("accept") ?? "").split(",").some((type) => type.split(";")[0]?.trim().toLowerCase() === EVENT_STREAM);
