/**
 * Runs secretlint's recommended rules on a text. The only importer of secretlint.
 *
 * The rules are called directly, without secretlint's runner: the runner is asynchronous, records every call for a
 * profiler, and obeys comments such as `secretlint-disable`, which would let the keys of an untrusted repository through.
 * Some rules report more than the secret, or (AWS) a range beside it, so each report is narrowed to the value it names.
 */
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { z } from "zod";
import { isPlausiblePassword } from "./address-passwords.ts";
import { privateKeys } from "./private-keys.ts";
import type { SecretMatch, Span } from "./redactor.ts";

/** The rule for `secretlint-disable` comments, and the one for Google key files, whose keys our own rule finds. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  ["filter-comments", "gcp"].map((name) => `@secretlint/secretlint-rule-${name}`),
);

/** The part of secretlint's rule context that the preset's rules use. */
type Context = {
  createTranslator(): (name: string, data: unknown) => unknown;
  report(report: unknown): void;
  ignore(): void;
};
type Source = {
  readonly content: string;
  readonly filePath: undefined;
  readonly ext: "";
  readonly contentType: "text";
};

const isFunction = (value: unknown): boolean => typeof value === "function";
const Rule = z.object({
  meta: z.object({ id: z.string() }),
  create: z.custom<(context: Context, options: object) => unknown>(isFunction),
});
const Scanner = z.object({ file: z.custom<(source: Source) => void>(isFunction) });
const Report = z.object({
  message: z.object({ data: z.record(z.string(), z.unknown()) }),
  range: z.tuple([z.int(), z.int()]),
});

/** The name of each kind of secret, by the end of its rule's id. */
const KINDS: Readonly<Record<string, string>> = {
  aws: "AWS secret key",
  npm: "npm token",
  slack: "Slack token",
  basicauth: "password in an address",
  openai: "OpenAI key",
  anthropic: "Anthropic key",
  groq: "Groq key",
  huggingface: "Hugging Face token",
  linear: "Linear key",
  notion: "Notion token",
  privatekey: "private key",
  sendgrid: "SendGrid key",
  shopify: "Shopify token",
  github: "GitHub token",
  gitlab: "GitLab token",
  grafana: "Grafana token",
  "1password": "1Password token",
  "database-connection-string": "password in an address",
  "hashicorp-vault": "Vault token",
  vercel: "Vercel token",
  databricks: "Databricks token",
  docker: "Docker token",
  figma: "Figma token",
  cloudflare: "Cloudflare token",
  tailscale: "Tailscale key",
};

type Scan = (text: string, found: SecretMatch[]) => void;

/** The matches of the preset's rules, in no particular order. */
export function presetMatches(text: string): readonly SecretMatch[] {
  const found: SecretMatch[] = [];
  for (const scan of scans()) scan(text, found);
  return found;
}

let opened: readonly Scan[] | null = null;
const scans = (): readonly Scan[] => (opened ??= z.array(Rule).parse(rules).flatMap(openRule));

function openRule({ meta, create }: z.infer<typeof Rule>): readonly Scan[] {
  if (LEFT_OUT.has(meta.id)) return [];
  const name = meta.id.replace("@secretlint/secretlint-rule-", "");
  const kind = KINDS[name] ?? `${name} secret`;
  let reports: z.infer<typeof Report>[] = [];
  const context: Context = {
    createTranslator: () => (_, data) => ({ data }),
    report: (report) => void reports.push(Report.parse(report)),
    ignore: () => {},
  };
  const { file } = Scanner.parse(create(context, {}));
  return [
    (text, found) => {
      reports = [];
      file({ content: text, filePath: undefined, ext: "", contentType: "text" });
      for (const report of reports) found.push(...narrowed(name, kind, text, report));
    },
  ];
}

/** Narrows a report to the secret itself. */
function narrowed(name: string, kind: string, text: string, report: z.infer<typeof Report>): readonly SecretMatch[] {
  const [from, to] = report.range;
  if (name === "privatekey") {
    // Our own rule finds the same keys; what only the preset finds is hidden whole.
    const shown = text.slice(from, to);
    if (privateKeys(shown).length > 0) return [];
  }
  const span = namedValue(text, { start: from, end: to }, report.message.data);
  if (name === "basicauth" || name === "database-connection-string") return passwordIn(kind, text, span);
  if (name === "npm") return npmToken(kind, text, span);
  return [{ kind, spans: [span] }];
}

/** The first occurrence, from the report's start on, of the longest value that the report names. */
function namedValue(text: string, { start, end }: Span, data: Readonly<Record<string, unknown>>): Span {
  let longest: Span = { start, end: start };
  for (const value of Object.values(data)) {
    if (typeof value !== "string" || value === "") continue;
    const at = text.slice(start, end + value.length + BESIDE_CHARS_MAX).indexOf(value);
    if (at >= 0 && value.length > longest.end - longest.start)
      longest = { start: start + at, end: start + at + value.length };
  }
  return longest.end === longest.start ? { start, end } : longest;
}

/** How far behind a report's range its value may be. */
const BESIDE_CHARS_MAX = 200;

/** The password of a URL. None if a quote is in it: the URL ended before. */
function passwordIn(kind: string, text: string, { start, end }: Span): readonly SecretMatch[] {
  const match = /^[^:]*(?::[a-z]+)?:\/\/[^:/\s]*:(?<password>[^@/\s]+)@/i.exec(text.slice(start, end));
  const password = match?.groups?.password;
  if (match === null || password === undefined || /["'`\\<>]/.test(match[0])) return [];
  if (!isPlausiblePassword(password)) return [];
  const last = start + match[0].length - 1;
  return [{ kind, spans: [{ start: last - password.length, end: last }] }];
}

/** The npm token at the end of a report, which may also cover the line before it. */
function npmToken(kind: string, text: string, { start, end }: Span): readonly SecretMatch[] {
  const [token = ""] = /[^\s"'`\\:/@]+$/.exec(text.slice(start, end)) ?? [];
  return token.length < TOKEN_CHARS_MIN ? [] : [{ kind, spans: [{ start: end - token.length, end }] }];
}

/** Shorter values are placeholders. */
const TOKEN_CHARS_MIN = 16;
