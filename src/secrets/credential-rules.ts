/**
 * Rules for credentials in a header, a connection string or an address.
 *
 * These can be any text, and tests and documentation are full of made-up ones, so only values that look made by a machine count.
 */
import { isPlausiblePassword } from "./address-passwords.ts";
import { anyCaseShape, type Check, distantShape, isVaried, type PatternRule } from "./rule.ts";

/** Letters and digits without a word that placeholders have. A long value is no placeholder. */
const isOpaque = (value: string): boolean =>
  isVaried(value) &&
  /[A-Za-z]/.test(value) &&
  /[0-9].*[0-9]/.test(value) &&
  (value.length > WORDY_CHARS_MAX || !WORD.test(value));
const WORDY_CHARS_MAX = 64;
const WORD =
  /token|secret|access|example|sample|your|placeholder|valid|dummy|fake|mock|test|demo|user|auth|bearer|pass|xxxx|12345|abcde/i;

const isStrong = (value: string): boolean =>
  /[A-Za-z]/.test(value) &&
  /[0-9]/.test(value) &&
  !WORD.test(value) &&
  new Set(value).size >= STRONG_AMONG_MIN &&
  isPlausiblePassword(value);
const STRONG_AMONG_MIN = 7;

/** Base64 of a name and a password. */
function isLogin(value: string): boolean {
  const login = Buffer.from(value, "base64").toString("latin1");
  return /^[\x20-\x7e]*$/.test(login) && login.includes(":") && isStrong(login.slice(login.indexOf(":") + 1));
}

/** Whether a password stands beside the other settings of a connection. */
const isOfConnection: Check = (value, text, at) => {
  if (!isStrong(value)) return false;
  const before = text.slice(Math.max(0, at - AROUND_CHARS), at).replace(TO_QUOTE, "");
  const [after = ""] = text.slice(at, at + value.length + AROUND_CHARS).split(QUOTE);
  return (/[;,]\s*$/.test(before) || /;|,\s?\w+\s?=/.test(after)) && SETTING.test(`${before} ${after}`);
};
const AROUND_CHARS = 200;
const TO_QUOTE = /^[\s\S]*["'`\n]/;
const QUOTE = /["'`\n]/;
const SETTING =
  /\b(?:server|data source|host|hostname|addr|address|uid|user id|user|username|database|initial catalog|dbname|driver|provider|endpoint|port|ssl|sslmode|encrypt|abortconnect)\s*=/i;

const VALUE = "[^;,&\"'`\\s<>{}\\\\…]";

export const CREDENTIAL_RULES: readonly PatternRule[] = [
  anyCaseShape(
    "bearer token",
    ["bearer "],
    "bearer {1,4}(?<secret>[A-Za-z0-9._~+/-]{20,4000}={0,2})(?![A-Za-z0-9])",
    isOpaque,
  ),
  distantShape(
    "authorization token",
    ["authoriz"],
    "authorization[\"'`]?\\s{0,3}[:=,]\\s{0,3}[\"'`]?(?:token|api-?key|key) {1,4}(?<secret>[A-Za-z0-9._~+/-]{20,400}={0,2})(?![A-Za-z0-9])",
    isOpaque,
  ),
  anyCaseShape(
    "basic credentials",
    ["basic "],
    "basic {1,4}(?<secret>[A-Za-z0-9+/]{12,400}={0,2})(?![A-Za-z0-9+/=])",
    isLogin,
  ),
  distantShape(
    "basic credentials",
    ['auth"', "auth\\", "auth&", "auth%"],
    'auth"\\s{0,4}:\\s{0,4}"(?<secret>[A-Za-z0-9+/]{12,400}={0,2})"',
    isLogin,
  ),
  anyCaseShape(
    "connection password",
    ["password=", "password =", "pwd=", "pwd ="],
    `(?:password|pwd) ?= ?(?<secret>${VALUE}{8,200})`,
    isOfConnection,
  ),
  anyCaseShape(
    "connection password",
    ["password=", "passwd=", "pwd="],
    `(?<=[?&])(?:password|passwd|pwd)=(?<secret>${VALUE}{8,200})`,
    isStrong,
  ),
  distantShape(
    "NuGet password",
    ["cleartextp"],
    `cleartextpassword"\\s{1,4}value="(?<secret>${VALUE}{8,200})"`,
    isStrong,
  ),
];
