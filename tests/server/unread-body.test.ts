/** What a client sends after its request was refused is not read. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { accessOf } from "../../src/server/access.ts";
import { tokenHash } from "../../src/store/grants.ts";
import { HANG_MS } from "../support/hang.ts";
import { type HttpServer, startServer } from "../support/http-server.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";

setDefaultTimeout(HANG_MS);

const CHUNK = `10000\r\n${"x".repeat(65_536)}\r\n`;
/** Far more than the buffers of two sockets hold. */
const SENT_MAX = 64 * 1024 * 1024;

let repo: TempRepo;
let server: HttpServer;

beforeAll(() => {
  repo = tempRepo({ "a.py": "def find_f(): pass\n" }, { git: true });
  const access = accessOf([{ name: "ada", tokenHash: tokenHash("t-ada"), repositories: ["*"] }]);
  server = startServer({ folders: [repo.path], access });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  repo[Symbol.dispose]();
});

type Sent = { readonly answer: string; readonly isClosed: boolean; readonly bytes: number };

/** Sends a head, and then chunks of a body until the server closes the connection. */
async function sent(head: string): Promise<Sent> {
  let [answer, isClosed, bytes] = ["", false, 0];
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: server.port,
    socket: {
      data(_, got) {
        answer += got.toString();
      },
      close() {
        isClosed = true;
      },
    },
  });
  socket.write(`${head}\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (let rest = ""; !isClosed && bytes < SENT_MAX; await Bun.sleep(0)) {
    if (rest === "") rest = CHUNK;
    const written = Math.max(0, socket.write(rest));
    rest = rest.slice(written);
    bytes += written;
  }
  socket.end();
  return { answer, isClosed, bytes };
}

test("a request that is answered before its body has come ends its connection", async () => {
  const known = "Authorization: Bearer t-ada";
  for (const [status, head] of [
    ["401 Unauthorized", "POST /v1/retrieve HTTP/1.1\r\nContent-Type: application/json"],
    ["403 Forbidden", "POST /v1/retrieve HTTP/1.1\r\nOrigin: http://evil.example"],
    ["404 Not Found", "POST /nowhere HTTP/1.1"],
    ["405 Method Not Allowed", "POST /healthz HTTP/1.1"],
    ["405 Method Not Allowed", `PUT /mcp HTTP/1.1\r\n${known}`],
    ["415 Unsupported Media Type", `POST /v1/retrieve HTTP/1.1\r\n${known}\r\nContent-Type: text/plain`],
    ["200 OK", "GET /healthz HTTP/1.1"],
    ["200 OK", `GET /v1/repositories HTTP/1.1\r\n${known}`],
  ] as const) {
    const { answer, isClosed, bytes } = await sent(head);
    expect(answer).toStartWith(`HTTP/1.1 ${status}\r\n`);
    expect(answer.toLowerCase()).toContain("\r\nconnection: close\r\n");
    expect(isClosed).toBe(true);
    expect(bytes).toBeLessThan(SENT_MAX);
  }
});

test("a request whose body was read, or that has none, leaves its connection open", async () => {
  const headers = { authorization: "Bearer t-ada", "content-type": "application/json" };
  const answers = [
    await fetch(`${server.url}/healthz`),
    await fetch(`${server.url}/v1/repositories`),
    await fetch(`${server.url}/v1/search`, { method: "POST", headers, body: '{"query":"find_f"}' }),
    await fetch(`${server.url}/v1/search`, { method: "POST", headers, body: "{" }),
    await fetch(`${server.url}/v1/search`, { method: "POST", body: "" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 400, 401]);
  for (const { headers: got } of answers) expect(got.get("connection")).not.toBe("close");
});
