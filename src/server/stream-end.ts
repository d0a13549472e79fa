/** Tells when a response has been sent: a stream ends long after the request was answered. */

/** The status of an answer that was cut off before it was complete. */
const CUT = 500;

/** The same response. `ended` is called once, with the status and how many bytes were taken. */
export async function withEnd(response: Response, ended: (status: number, bytes: number) => void): Promise<Response> {
  const { status, headers, body } = response;
  if (headers.get("content-type")?.startsWith("text/event-stream") !== true || body === null) {
    const bytes = await response.bytes().catch(() => null);
    ended(bytes === null ? CUT : status, bytes?.byteLength ?? 0);
    if (bytes === null) return new Response(null, { status: CUT });
    return new Response(body === null ? null : bytes, { status, headers });
  }
  const reader = body.getReader();
  let [bytes, isOver] = [0, false];
  const over = (): void => {
    if (!isOver) ended(status, bytes);
    isOver = true;
  };
  const counted = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          bytes += value.byteLength;
          controller.enqueue(value);
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      over();
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  });
  return new Response(counted, { status, headers });
}
