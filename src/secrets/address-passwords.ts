/**
 * Finds passwords in URLs (`scheme://user:password@host`), of any scheme.
 *
 * Placeholders are left alone: variables, words such as "password", local and documentation hosts. Every library's tests
 * are full of them.
 */
import type { SecretMatch } from "./redactor.ts";

const ADDRESS =
  /(?<![A-Za-z0-9+.-])(?<scheme>[A-Za-z][A-Za-z0-9+.-]{1,30}):\/\/(?<user>[^:/\s"'`<>\\@]{0,256}):(?<password>[^@/\s"'`<>\\]{4,256})@(?<host>[^\s/:?#"'`<>\\,)\]]{1,256})/g;

/** What most texts lack; quick to search for. */
const IN_ADDRESS = /:\/\/[^:/\s]{0,1024}:[^@/\s]{1,1024}@/;
/** The password of a URL that was cut off. */
export const CUT_ADDRESS = /:\/\/[^:/\s]{0,1024}:[^@/\s]{1,1024}…/;

/** Local hosts, and hosts reserved for documentation and tests. */
const HARMLESS_HOST =
  /^(?:localhost|0\.0\.0\.0|127\.\d+\.\d+\.\d+|.*\.?example(?:\.[a-z]+)?|.*\.(?:test|invalid|localhost|local))$/i;
const PLACEHOLDER =
  /^(?:\W*|(?:my|your|the|user|db|some)?[-_]?(?:pass(?:word|wd|phrase)?)+|pwd?|secret|token|root|admin|user(?:name)?|guest|test(?:ing)?|foo|bar|baz|qux|foobar|flabada|example|changeme|dummy|(.)\1+|x-oauth-basic)$/i;
const VARIABLE = /\$[{(A-Za-z_]|\{[^{}]*\}|%[A-Z_]{1,30}%|%[sd(]|[<>]/;

/** Every URL password that looks real, in order. */
export function addressPasswords(text: string): readonly SecretMatch[] {
  if (!IN_ADDRESS.test(text)) return [];
  return [...text.matchAll(ADDRESS)].flatMap(({ index, groups }) => {
    const { scheme = "", user = "", password = "", host = "" } = groups ?? {};
    if (HARMLESS_HOST.test(host) || !isPlausiblePassword(password)) return [];
    const start = index + scheme.length + "://".length + user.length + ":".length;
    return [{ kind: "password in an address", spans: [{ start, end: start + password.length }] }];
  });
}

/** Whether a password looks like a real one rather than a placeholder. */
export const isPlausiblePassword = (password: string): boolean =>
  !PLACEHOLDER.test(password.replaceAll(/%[0-9a-f]{2}|[^A-Za-z0-9]/gi, "")) && !VARIABLE.test(password);
