/** Headless Chromium over its debugging protocol, for what a page does in a real browser. */
import { z } from "zod";
import { tempFolder } from "./folder.ts";

/** The program, or null where none is installed. */
export const CHROMIUM: string | null =
  Bun.which("chromium") ?? Bun.which("chromium-browser") ?? Bun.which("google-chrome");

export type Page = AsyncDisposable & {
  /** What an expression of the page is, as JSON. */
  value(expression: string): Promise<unknown>;
  /** What the browser complained of: refused scripts, failed loads, exceptions. */
  readonly complaints: readonly string[];
};

const Pages = z.array(z.looseObject({ type: z.string(), webSocketDebuggerUrl: z.string() }));

/** Opens an address and waits until it is loaded. */
export async function openPage(address: string): Promise<Page> {
  if (CHROMIUM === null) throw new Error("no Chromium is installed");
  const profile = tempFolder();
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"];
  const child = Bun.spawn([CHROMIUM, ...flags, `--user-data-dir=${profile.path}`, "about:blank"], {
    stdout: "ignore",
    stderr: "pipe",
  });
  const port = await portIn(child.stderr);
  const pages = Pages.parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
  const socket = new WebSocket(pages.find(({ type }) => type === "page")?.webSocketDebuggerUrl ?? "");
  const waiting = new Map<number, (message: { result?: { result?: { value?: unknown } } }) => void>();
  const loaded = Promise.withResolvers<void>();
  const complaints: string[] = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    if (typeof message.id === "number") waiting.get(message.id)?.(message);
    if (message.method === "Page.loadEventFired") loaded.resolve();
    if (message.method === "Log.entryAdded" || message.method === "Runtime.exceptionThrown")
      complaints.push(JSON.stringify(message.params));
  };
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  let count = 0;
  const send = (method: string, params: object = {}) =>
    new Promise<{ result?: { result?: { value?: unknown } } }>((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      socket.send(JSON.stringify({ id: count, method, params }));
    });
  for (const domain of ["Page", "Runtime", "Log"]) await send(`${domain}.enable`);
  await send("Page.navigate", { url: address });
  await loaded.promise;
  return {
    complaints,
    async value(expression) {
      const { result } = await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
      return result?.result?.value;
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      child.kill();
      await child.exited;
      profile[Symbol.dispose]();
    },
  };
}

/** The port that the browser says it listens on. */
async function portIn(errors: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of errors) {
    text += new TextDecoder().decode(chunk);
    const port = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(text)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error(`Chromium ended: ${text.slice(0, 500)}`);
}
