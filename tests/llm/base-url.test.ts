/** Addresses as people type them, and which of them are this machine. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { BASE_URL_DEFAULT, readBaseUrl } from "../../src/llm/base-url.ts";
import { anyCharacter } from "../support/any-character.ts";

const url = (typed: string): string | null => {
  const reading = readBaseUrl(typed);
  return reading.ok ? reading.baseUrl.url : null;
};

test.each([
  [BASE_URL_DEFAULT, "http://127.0.0.1:11434", true],
  [" http://localhost:11434/ ", "http://localhost:11434", true],
  ["HTTP://LOCALHOST", "http://localhost", true],
  ["http://[::1]:11434", "http://[::1]:11434", true],
  ["http://[0:0:0:0:0:0:0:1]:80/", "http://[::1]", true],
  ["http://127.9.8.7:1", "http://127.9.8.7:1", true],
  ["http://127.1:11434", "http://127.0.0.1:11434", true],
  ["http://0x7f000001:11434", "http://127.0.0.1:11434", true],
  ["http://[::ffff:127.0.0.1]:11434", "http://[::ffff:7f00:1]:11434", true],
  ["https://models.example.com/ollama//", "https://models.example.com/ollama", false],
  ["http://0.0.0.0:11434", "http://0.0.0.0:11434", false],
  ["http://128.0.0.1", "http://128.0.0.1", false],
  ["http://127.0.0.1.example.com", "http://127.0.0.1.example.com", false],
  ["http://localhost.example.com", "http://localhost.example.com", false],
  ["http://my.localhost", "http://my.localhost", false],
  ["http://[::ffff:8.8.8.8]", "http://[::ffff:808:808]", false],
  ["http://10.0.0.1/a/../b", "http://10.0.0.1/b", false],
])("%p is %s, of this machine: %p", (typed, expected, loopback) => {
  const reading = readBaseUrl(typed);
  if (!reading.ok) throw new Error(reading.why);
  expect(reading.baseUrl.url).toBe(expected);
  expect(reading.baseUrl.loopback).toBe(loopback);
});

test.each([
  ["", "is empty"],
  ["localhost:11434", "does not begin with http:// or https://"],
  ["127.0.0.1:11434", "does not begin with http:// or https://"],
  ["file:///etc/passwd", "is neither http:// nor https://"],
  ["ftp://127.0.0.1", "is neither http:// nor https://"],
  ["http://", "is not a valid URL"],
  ["http://127.0.0.1:99999", "is not a valid URL"],
  ["http://127.0.0.1:0", "has port 0"],
  ["http://user:word@127.0.0.1", "contains a user name or password"],
  ["http://@127.0.0.1", "contains a user name or password"],
  ["http://127.0.0.1/?", 'has a "?" or "#" part'],
  ["http://127.0.0.1/#x", 'has a "?" or "#" part'],
  ["http://127.0.0.1/\u001b[2J", "contains characters that a URL cannot have"],
  ["http://127.0.\n0.1", "contains characters that a URL cannot have"],
  ["http:\\\\127.0.0.1", "contains characters that a URL cannot have"],
  [`http://127.0.0.1/${"a".repeat(2000)}`, "is longer than 2000 characters"],
])("%p %s", (typed, why) => {
  expect(readBaseUrl(typed)).toEqual({ ok: false, why, next: "give a URL like http://127.0.0.1:11434" });
});

test("an error does not show the password", () => {
  expect(JSON.stringify(readBaseUrl("http://me:opensesame@127.0.0.1/?q"))).not.toContain("opensesame");
});

test("a parsed address parses to itself", () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: anyCharacter })), (typed) => {
      const once = url(typed);
      if (once !== null) expect(url(once)).toBe(once);
    }),
  );
});
