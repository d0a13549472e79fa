/** How a stand-in server answers a generation request, correctly or with a fault. Times are milliseconds. */
import type { Socket } from "node:net";
import { ending, message, piece, type Took } from "./stand-in-payload.ts";
import type { Received } from "./stand-in-request.ts";
import { body, chunk, hang, head, LINES, lastChunk, whole, write } from "./stand-in-wire.ts";

export type Behaviour =
  /** A complete reply. `loadMs` delays the headers, as loading a model does; `everyMs` separates the chunks. */
  | {
      readonly kind: "text";
      readonly text: string;
      readonly pieces?: number;
      readonly loadMs?: number;
      readonly everyMs?: number;
      readonly doneReason?: "stop" | "length";
      /** What the server says it took. */
      readonly took?: Took;
    }
  | { readonly kind: "hang-before-headers" }
  | { readonly kind: "hang-before-token" }
  /** Sends `text` and then stalls. */
  | { readonly kind: "hang-after"; readonly text: string }
  /** Sends whitespace forever. */
  | { readonly kind: "whitespace" }
  /** A reply of the given size, in tokens of 64 kB or as one unterminated line. */
  | { readonly kind: "flood"; readonly bytes: number; readonly oneLine?: boolean }
  /** Status 200, some text, then a line with `{"error": …}`. */
  | { readonly kind: "error-line"; readonly error: string; readonly after?: string }
  /** Ollama's error reply: `{"error": …}` with a status. */
  | { readonly kind: "error"; readonly status: number; readonly error: string }
  /** The stream ends properly, but no line has `done`. */
  | { readonly kind: "end-early"; readonly text: string }
  /** The connection closes in the middle of a line. */
  | { readonly kind: "close"; readonly text: string }
  /** Waits for `when` first, because a reset discards data that the client has not read. */
  | { readonly kind: "reset"; readonly text: string; readonly when?: Promise<unknown> }
  | { readonly kind: "redirect"; readonly to: string; readonly status?: number }
  /** Any body with any status and type; `endless` keeps the body open. */
  | {
      readonly kind: "body";
      readonly body: string | Uint8Array;
      readonly status?: number;
      readonly type?: string;
      readonly endless?: boolean;
    }
  /** Raw bytes instead of HTTP, then the connection closes, or with `open` stays open. */
  | { readonly kind: "bytes"; readonly bytes: string | Uint8Array; readonly open?: boolean };

/** Answers a generation request on its connection. */
export async function behave(socket: Socket, request: Received, behaviour: Behaviour): Promise<void> {
  const say = (text: string): Promise<boolean> => chunk(socket, piece(request, text));
  switch (behaviour.kind) {
    case "text":
      return await speak(socket, request, behaviour);
    case "hang-before-headers":
      return await hang(socket);
    case "hang-before-token":
      await head(socket, 200, LINES);
      return await hang(socket);
    case "hang-after":
      await head(socket, 200, LINES);
      await say(behaviour.text);
      return await hang(socket);
    case "whitespace":
      await head(socket, 200, LINES);
      while (await say("\n  \t")) await Bun.sleep(0);
      return;
    case "flood":
      return await flood(socket, request, behaviour);
    case "error-line":
      await head(socket, 200, LINES);
      if (behaviour.after !== undefined) await say(behaviour.after);
      await chunk(socket, `${JSON.stringify({ error: behaviour.error })}\n`);
      return await lastChunk(socket);
    case "error":
      return await whole(socket, behaviour.status, { error: behaviour.error });
    case "end-early":
      await head(socket, 200, LINES);
      await say(behaviour.text);
      return await lastChunk(socket);
    case "close":
      await head(socket, 200, LINES);
      await say(behaviour.text);
      await chunk(socket, piece(request, behaviour.text).slice(0, 20));
      socket.end();
      return;
    case "reset":
      await head(socket, 200, LINES);
      if (behaviour.text !== "") await say(behaviour.text);
      await (behaviour.when ?? Bun.sleep(20));
      socket.resetAndDestroy();
      return;
    case "redirect":
      await write(
        socket,
        `HTTP/1.1 ${behaviour.status ?? 307} Moved\r\nLocation: ${behaviour.to}\r\nContent-Length: 0\r\n\r\n`,
      );
      return;
    case "body": {
      const { status = 200, type = LINES, endless = false } = behaviour;
      if (!endless) return await body(socket, status, type, behaviour.body);
      await head(socket, status, type);
      while (await chunk(socket, behaviour.body)) await Bun.sleep(0);
      return;
    }
    case "bytes":
      await write(socket, behaviour.bytes);
      if (behaviour.open === true) return await hang(socket);
      socket.end();
      return;
  }
}

async function speak(
  socket: Socket,
  request: Received,
  { text, pieces = 4, loadMs = 0, everyMs = 0, doneReason = "stop", took }: Extract<Behaviour, { kind: "text" }>,
): Promise<void> {
  if (loadMs > 0) await Bun.sleep(loadMs);
  if (!request.stream)
    return await whole(socket, 200, { ...message(request, text), ...ending(text, doneReason, took) });
  await head(socket, 200, LINES);
  const letters = [...text];
  const size = Math.max(1, Math.ceil(letters.length / pieces));
  for (let at = 0; at < letters.length; at += size) {
    if (!(await chunk(socket, piece(request, letters.slice(at, at + size).join(""))))) return;
    if (everyMs > 0) await Bun.sleep(everyMs);
  }
  await chunk(socket, `${JSON.stringify({ ...message(request, ""), ...ending(text, doneReason, took) })}\n`);
  await lastChunk(socket);
}

async function flood(
  socket: Socket,
  request: Received,
  { bytes, oneLine = false }: Extract<Behaviour, { kind: "flood" }>,
): Promise<void> {
  const letters = "x".repeat(65_536);
  await head(socket, 200, LINES);
  for (let sent = 0; sent < bytes; sent += letters.length) {
    if (!(await chunk(socket, oneLine ? letters : piece(request, letters)))) return;
  }
  if (!oneLine) await chunk(socket, `${JSON.stringify({ ...message(request, ""), ...ending("", "stop") })}\n`);
  await lastChunk(socket);
}
