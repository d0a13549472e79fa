/**
 * Passwords in addresses (`scheme://user:password@host`), of any scheme.
 *
 * Only the password is the secret. What stands for one is left alone: a variable, a word such as "password", an address
 * of this machine or of documentation. Such addresses are in every library's tests.
 */
import type { Finding } from "./finding.ts";

const ADDRESS =
  /(?<![A-Za-z0-9+.-])(?<scheme>[A-Za-z][A-Za-z0-9+.-]{1,30}):\/\/(?<user>[^:/\s"'`<>\\@]{0,256}):(?<password>[^@/\s"'`<>\\]{4,256})@(?<host>[^\s/:?#"'`<>\\,)\]]{1,256})/g;

/** Hosts that nobody can log in to from elsewhere, and those that are kept for documentation and tests. */
const HARMLESS_HOST =
  /^(?:localhost|0\.0\.0\.0|127\.\d+\.\d+\.\d+|.*\.?example(?:\.[a-z]+)?|.*\.(?:test|invalid|localhost|local))$/i;
const PLACEHOLDER =
  /^(?:\W*|(?:my|your|the|user|db|some)?[-_]?(?:pass(?:word|wd|phrase)?)+|pwd?|secret|token|root|admin|user(?:name)?|guest|test(?:ing)?|foo|bar|baz|qux|foobar|example|changeme|dummy|(.)\1+|x-oauth-basic)$/i;
const VARIABLE = /\$[{(A-Za-z_]|\{[^}]*\}|%[A-Z_]{1,30}%|%[sd(]|[<>]/;

/** Every password in an address that looks like a real one, in order. */
export function addressPasswords(text: string): readonly Finding[] {
  return [...text.matchAll(ADDRESS)].flatMap(({ index, groups }) => {
    const { scheme = "", user = "", password = "", host = "" } = groups ?? {};
    if (HARMLESS_HOST.test(host) || !isRealPassword(password)) return [];
    const start = index + scheme.length + "://".length + user.length + ":".length;
    return [{ kind: "password in an address", spans: [{ start, end: start + password.length }] }];
  });
}

/** Whether somebody may have chosen it to keep others out. */
export const isRealPassword = (password: string): boolean =>
  !PLACEHOLDER.test(password.replaceAll(/%[0-9a-f]{2}/gi, "")) && !VARIABLE.test(password);
