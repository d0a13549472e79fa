import { expect, test } from "bun:test";
import { requestPath } from "../../src/server/request-path.ts";

test.each([
  ["http://localhost:7420/healthz", "/healthz"],
  ["/healthz", "/healthz"],
  ["/healthz?a=//b", "/healthz"],
  ["//other/healthz", "//other/healthz"],
  ["http://localhost//other/healthz", "//other/healthz"],
  ["/\\other/healthz", "//other/healthz"],
  ["/%2fhealthz", "/%2fhealthz"],
  ["/x/../healthz", "/healthz"],
  ["/healthz#x", ""],
  ["http://localhost/healthz#", ""],
  ["127.0.0.1:80", ""],
  ["", ""],
])("%s asks for %j", (url, path) => expect(requestPath(url)).toBe(path));
