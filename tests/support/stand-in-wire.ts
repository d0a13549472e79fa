/**
 * Writes HTTP responses to a socket chunk by chunk with backpressure, so that a stand-in server can break off anywhere.
 */
import type { Socket } from "node:net";

export const LINES = "application/x-ndjson";
const JSON_TYPE = "application/json; charset=utf-8";

export const whole = (socket: Socket, status: number, value: unknown): Promise<void> =>
  body(socket, status, JSON_TYPE, JSON.stringify(value));

export async function body(socket: Socket, status: number, type: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content);
  await write(socket, `HTTP/1.1 ${status} Status\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`);
  await write(socket, bytes);
}

export const head = (socket: Socket, status: number, type: string): Promise<boolean> =>
  write(socket, `HTTP/1.1 ${status} Status\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`);

export function chunk(socket: Socket, content: string | Uint8Array): Promise<boolean> {
  const bytes = Buffer.from(content);
  return write(socket, Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]));
}

export async function lastChunk(socket: Socket): Promise<void> {
  await write(socket, "0\r\n\r\n");
}

/** Waits until the system accepted the data; false if the client is gone. */
export async function write(socket: Socket, content: string | Uint8Array): Promise<boolean> {
  if (socket.destroyed || !socket.writable) return false;
  if (socket.write(content)) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const drained = (): void => resolve(true);
  const gone = (): void => resolve(false);
  socket.once("drain", drained).once("close", gone);
  const taken = await promise;
  socket.off("drain", drained).off("close", gone);
  return taken;
}

/** Sends nothing more until the client disconnects. */
export async function hang(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once("close", () => resolve());
  await promise;
}
