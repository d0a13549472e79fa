/** The parts of the server that compute: grants as text, addresses, names, rates, statuses. */
import { expect, test } from "bun:test";
import { Failed } from "../../src/failure.ts";
import { namesOf, readAddress, strangeHeaders } from "../../src/server/address.ts";
import { openMetrics } from "../../src/server/metrics.ts";
import { problemResponse, refusalOf } from "../../src/server/problem.ts";
import { rateLimit } from "../../src/server/rate.ts";
import { readGrants } from "../../src/server/token-file.ts";
import { tokenHash } from "../../src/store/grants.ts";

const HASH = tokenHash("x");

test("grants are lines of a hash, a name and repositories", () => {
  const text = `# who may read what\n\n${HASH} ada api,team/*\r\n${HASH}\tbob  *`;
  expect(readGrants(text, "tokens.txt")).toEqual([
    { tokenHash: HASH, name: "ada", repositories: ["api", "team/*"] },
    { tokenHash: HASH, name: "bob", repositories: ["*"] },
  ]);
  expect(readGrants(`${HASH} ada api;${HASH} bob web`, "CRA_SERVE_TOKENS")).toHaveLength(2);
});

test("a line that is no grant is named, and never shown: it may be a token", () => {
  for (const line of [
    "secret ada api",
    `${HASH} ada`,
    `${HASH} ada api web`,
    `${HASH.toUpperCase()} ada api`,
    `${HASH} ada ,`,
  ]) {
    let message = "";
    try {
      readGrants(`#\n${line}`, "tokens.txt");
    } catch (error) {
      if (error instanceof Failed) message = error.message;
    }
    expect(message).toStartWith("tokens.txt, line 2: it is no grant");
    expect(message).not.toContain(line.split(" ")[0] ?? "");
  }
});

test("addresses are a host and a port", () => {
  expect(readAddress("127.0.0.1:0")).toEqual({ host: "127.0.0.1", port: 0 });
  expect(readAddress("[::1]:7420")).toEqual({ host: "::1", port: 7420 });
  for (const wrong of ["7420", ":7420", "a:b", "a:99999", "http://a:1", "::1:7420", "a b:1"])
    expect(() => readAddress(wrong)).toThrow("not an address and port");
});

test("only names of the server are answered", () => {
  const names = namesOf({ host: "127.0.0.1", port: 7420 }, ["CRA.example.org"]);
  const why = (headers: Readonly<Record<string, string>>) => strangeHeaders(new Headers(headers), names);
  for (const host of ["127.0.0.1:7420", "localhost", "[::1]:9", "cra.example.org", "CRA.example.org:443"]) {
    expect(why({ host })).toBeNull();
    expect(why({ host, origin: `http://${host}` })).toBeNull();
  }
  for (const host of [
    "",
    "evil.example",
    "evil.example:7420",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "a, b",
    "127.0.0.1@evil.example",
  ])
    expect(why(host === "" ? {} : { host })).toContain("Host");
  for (const origin of ["null", "http://evil.example", "file://", "http://localhost.evil.example", "x"])
    expect(why({ host: "localhost", origin })).toContain("Origin");
  expect(() => namesOf({ host: "127.0.0.1", port: 1 }, ["http://a"])).toThrow("not the name of a host");
  expect(namesOf({ host: "10.1.2.3", port: 1 }, [])).toEqual(["10.1.2.3"]);
});

test("a caller who asks too often waits as long as it is told", () => {
  const rates = rateLimit(60);
  for (let at = 0; at < 60; at += 1) expect(rates.take("ada", 0)).toBe(0);
  expect(rates.take("ada", 0)).toBe(1);
  expect(rates.take("bob", 0)).toBe(0);
  expect(rates.take("ada", 999)).toBe(1);
  expect(rates.take("ada", 1_001)).toBe(0);
  expect(rates.take("ada", 1_002)).toBe(1);
});

test("what a request holds beyond one call is paid for afterwards", () => {
  const rates = rateLimit(60);
  expect(rates.take("ada", 0)).toBe(0);
  rates.charge("ada", 99, 0);
  expect(rates.take("ada", 0)).toBe(41);
  expect(rates.take("ada", 40_000)).toBe(1);
  expect(rates.take("ada", 41_000)).toBe(0);
  expect(rates.take("bob", 0)).toBe(0);
});

test("what a client cannot help is said without the server's own files", async () => {
  const failures = [
    { code: "io", message: "no space", where: "/srv/data/curated.sqlite" },
    { code: "index-damaged", path: "/srv/data/curated.sqlite", why: "x" },
    { code: "not-indexed", repo: "/srv/secret-project" },
    { code: "locked", holder: "pid 7 on db1" },
    { code: "no-repository", path: "/srv/secret-project", why: "x" },
  ] as const;
  for (const failure of failures) {
    const response = problemResponse(refusalOf(failure), "7");
    const text = await response.text();
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(text).not.toMatch(/srv|db1|secret/);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  }
  expect(refusalOf({ code: "budget-below-floor", budget: 1, floor: 90, unit: "tokens" })).toMatchObject({
    status: 422,
    detail: "a budget of 1 tokens is too small for this task; the smallest that works is 90 (budget 90)",
    floor: 90,
  });
});

test("metrics are counted by route and status", () => {
  const metrics = openMetrics("1");
  metrics.finished("/v1/search", 200, 30);
  metrics.finished("/v1/search", 200, 3_000);
  metrics.finished("/v1/search", 429, 1);
  const text = metrics.text({ running: 1, waiting: 2, isReady: true });
  expect(text).toContain('cra_requests_total{route="/v1/search",status="200"} 2\n');
  expect(text).toContain('cra_request_seconds_bucket{route="/v1/search",le="0.05"} 2\n');
  expect(text).toContain('cra_request_seconds_bucket{route="/v1/search",le="+Inf"} 3\n');
  expect(text).toContain("cra_requests_waiting 2\n");
  for (const line of text.trimEnd().split("\n"))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? [\d.]+)$/);
});
