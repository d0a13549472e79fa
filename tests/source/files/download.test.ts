/** Downloading from a local server that misbehaves in every way. */
import { afterAll, expect, test } from "bun:test";
import { addressProblem, download, isAddress, redirection, shownAddress } from "../../../src/source/files/download.ts";

const NEVER = new AbortController().signal;
/** Only a server that sends nothing reaches the time limits. */
const LIMITS = { bytesMax: 1_000, idleMs: 60_000, totalMs: 60_000 };

let asked: { readonly url: string; readonly authorization: string | null }[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    asked.push({ url: request.url, authorization: request.headers.get("authorization") });
    const { pathname } = new URL(request.url);
    if (pathname === "/whole") return new Response("all of it");
    if (pathname === "/empty") return new Response("");
    if (pathname === "/long") return new Response("x".repeat(1_001));
    if (pathname === "/endless") return new Response(endless(), { headers: { "content-type": "text/plain" } });
    if (pathname === "/slow") return new Response(new ReadableStream({ start: () => undefined }));
    if (pathname === "/packed")
      return new Response(Bun.gzipSync(Buffer.alloc(100_000)), { headers: { "content-encoding": "gzip" } });
    if (pathname === "/moved") return Response.redirect("/whole", 302);
    return new Response("key=hunter2", { status: 404 });
  },
});
afterAll(() => server.stop(true));

const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(400)) });
const at = (path: string, user = ""): string => `http://${user}127.0.0.1:${server.port}${path}`;

async function read(address: string, limits = LIMITS): Promise<string> {
  asked = [];
  const answer = await download(address, limits, NEVER);
  return answer.kind === "bytes" ? `bytes: ${Buffer.from(answer.bytes).toString()}` : answer.why;
}

test("downloads the whole content", async () => {
  expect(await read(at("/whole"))).toBe("bytes: all of it");
  expect(await read(at("/empty"))).toBe("bytes: ");
  expect(await read(at("/whole?key=1#part"))).toBe("bytes: all of it");
});

test("never exceeds the limit, announced or not, compressed or not", async () => {
  expect(await read(at("/long"))).toBe("it is larger than 1000 bytes");
  expect(await read(at("/endless"))).toBe("it is larger than 1000 bytes");
  expect(await read(at("/packed"))).toStartWith("bytes: \x1f");
});

test("limits the time per chunk and in total", async () => {
  expect(await read(at("/slow"), { ...LIMITS, idleMs: 50 })).toBe("no data arrived for 0 s");
  expect(await read(at("/slow"), { ...LIMITS, totalMs: 50 })).toBe("the download was not complete after 0 s");
});

test("does not repeat the server's words", async () => {
  expect(await read(at("/none"))).toBe("the server responded with status 404");
  expect(await read(at("/moved"))).toBe("the redirect is not from https:// to https://, so it is not followed");
});

test("a user name and password go to the server, and nowhere else", async () => {
  expect(await read(at("/whole", "ada:p%40ss@"))).toBe("bytes: all of it");
  expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from("ada:p@ss").toString("base64")}`);
  expect(asked[0]?.url).not.toContain("ada");
  expect(await read(at("/whole"))).toBe("bytes: all of it");
  expect(asked[0]?.authorization).toBeNull();
});

test("follows redirects from https to https, a few times, and keeps passwords to their host", () => {
  const from = new URL("https://ada:pass@a.example/x");
  expect(redirection(from, "https://b.example/y", 0)).toEqual(new URL("https://b.example/y"));
  expect(redirection(from, "/z", 0)).toEqual(new URL("https://ada:pass@a.example/z"));
  expect(redirection(from, "https://eve:x@b.example/y", 0)).toEqual(new URL("https://b.example/y"));
  expect(redirection(from, "http://a.example/x", 0)).toContain("it is not followed");
  expect(redirection(from, "file:///etc/passwd", 0)).toContain("it is not followed");
  expect(redirection(new URL("http://a.example"), "https://a.example", 0)).toContain("it is not followed");
  expect(redirection(from, "https://b.example/y", 5)).toBe("there are too many redirects");
  for (const nowhere of [null, "https://", "https://["])
    expect(redirection(from, nowhere, 0)).toBe("the redirect has no valid target");
});

test("describes broken and missing servers in our own words", async () => {
  const heads = { garbage: "hello hello\r\n\r\n", broken: "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nabc" };
  for (const head of Object.values(heads)) {
    const odd = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end(head) },
    });
    const address = `http://u:hunter2@127.0.0.1:${odd.port}/hunter2`;
    expect(await read(address)).toMatch(/^the connection (was closed|failed)[^2]*$/);
    odd.stop(true);
    expect(await read(address)).toBe("connection refused");
  }
});

test("a signal ends it with its reason", async () => {
  const stop = new AbortController();
  const reading = download(at("/slow"), LIMITS, stop.signal);
  const reason = new Error("stopped");
  stop.abort(reason);
  expect(await reading.catch((error: unknown) => error)).toBe(reason);
});

test("tells URLs from files and hides their secrets", () => {
  const seen = ["https://a/b", "http://a", "ftp://a/b", "a.cra-export", "./https:/a", "C:\\a\\b", "/a//b"].map(
    isAddress,
  );
  expect(seen).toEqual([true, true, true, false, false, false, false]);
  expect(shownAddress("https://ada:hunter2@a.example:8443/b/c?key=hunter2#hunter2")).toBe("https://a.example:8443/b/c");
  expect(shownAddress("https://")).toBe("the URL");
  expect(["https://a/b", "ftp://a/b", "https://["].map(addressProblem)).toEqual([
    null,
    "it does not start with http:// or https://",
    "it is not a valid URL",
  ]);
});
