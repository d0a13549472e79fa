import { expect, test } from "bun:test";
import fc from "fast-check";
import { expandIdentifier, identifiersIn, termsIn } from "../../src/text/identifiers.ts";

const check = (name: string, terms: readonly string[]): void => expect(expandIdentifier(name)).toEqual(terms);

test("splits camelCase, snake_case, acronyms and digits", () => {
  check("handleLoginRequest", ["handleloginrequest", "handle", "login", "request"]);
  check("parse_http_url", ["parse_http_url", "parse", "http", "url"]);
  check("HTTPServer", ["httpserver", "http", "server"]);
  check("sha256sum", ["sha256sum", "sha", "256", "sum"]);
});

test("gives a plain word once, whatever stands at its ends", () => {
  check("login", ["login"]);
  check("__init__", ["init"]);
  check("$scope", ["scope"]);
  check("URL", ["url"]);
});

test("drops terms of one character but keeps what they were part of", () => {
  check("x", []);
  check("_", []);
  check("x1", ["x1"]);
  check("aB", ["ab"]);
  check("isX", ["isx", "is"]);
});

test("finds identifiers in prose and code", () => {
  expect(identifiersIn("call foo.bar(baz_1) — née 3d")).toEqual(["call", "foo", "bar", "baz_1", "n", "e", "d"]);
  expect(termsIn("getUser(userId)")).toEqual(["getuser", "get", "user", "userid", "user", "id"]);
});

test("names of the prototype are words like any other", () => {
  check("constructor", ["constructor"]);
  check("__proto__", ["proto"]);
});

test("every term is lower case, of two characters or more, and made of the identifier's own", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,30}$/), (name) => {
      for (const term of expandIdentifier(name)) {
        expect(term.length).toBeGreaterThan(1);
        expect(name.toLowerCase()).toContain(term);
      }
    }),
  );
});

test("long runs take no time to speak of", () => {
  const length = 200_000;
  for (const run of ["_", "$", "a", "A", "1", "aB", "_a"])
    expect(expandIdentifier(`x${run.repeat(length)}x`)[0]?.[0]).toBe("x");
}, 2_000);
