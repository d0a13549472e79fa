/**
 * The one door to secretlint: its recommended rules, run on a text that is at hand.
 *
 * The rules are asked directly, without secretlint's own runner: that one is asynchronous, keeps a mark of every call for
 * a profiler, and obeys comments such as `secretlint-disable`, which in a stranger's repository would let its keys
 * through. Some rules report more than the secret, or (AWS) a place beside it, so a report is narrowed to the value that
 * it names, and to a password in an address.
 * Left out: the rule of those comments, and that of whole key files of Google, of which ours for private keys finds the
 * key itself.
 */
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { z } from "zod";
import { isRealPassword } from "./address-passwords.ts";
import type { Finding, Span } from "./finding.ts";
import { privateKeys } from "./private-keys.ts";

const LEFT_OUT: ReadonlySet<string> = new Set(
  ["filter-comments", "gcp"].map((name) => `@secretlint/secretlint-rule-${name}`),
);

/** What a rule is given, as far as the preset's rules use it. */
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

/** How a kind of secret is called, by the end of its rule's name. */
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

type Scan = (text: string, found: Finding[]) => void;

/** What the preset's rules find, in no order. */
export function presetFindings(text: string): readonly Finding[] {
  const found: Finding[] = [];
  for (const scan of scans()) scan(text, found);
  return found;
}

let opened: readonly Scan[] | null = null;
const scans = (): readonly Scan[] => (opened ??= z.array(Rule).parse(rules).flatMap(opening));

function opening({ meta, create }: z.infer<typeof Rule>): readonly Scan[] {
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

/** A report as the secret itself. */
function narrowed(name: string, kind: string, text: string, report: z.infer<typeof Report>): readonly Finding[] {
  const [from, to] = report.range;
  if (name === "privatekey") {
    // The same keys are found by our own rule; what only the preset finds is hidden whole.
    const shown = text.slice(from, to);
    if (privateKeys(shown).length > 0) return [];
  }
  const span = namedValue(text, { start: from, end: to }, report.message.data);
  if (name === "basicauth" || name === "database-connection-string") return passwordIn(kind, text, span);
  if (name === "npm") return npmToken(kind, text, span);
  return [{ kind, spans: [span] }];
}

/** The longest value that a report names, where it first stands from the report's place on. */
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

/** A value may stand this far behind the place that a report gives. */
const BESIDE_CHARS_MAX = 200;

/** The password of an address; none where a quote is in it, as then the address has ended before. */
function passwordIn(kind: string, text: string, { start, end }: Span): readonly Finding[] {
  const match = /^[^:]*(?::[a-z]+)?:\/\/[^:/\s]*:(?<password>[^@/\s]+)@/i.exec(text.slice(start, end));
  const password = match?.groups?.password;
  if (match === null || password === undefined || /["'`\\<>]/.test(match[0])) return [];
  if (!isRealPassword(password)) return [];
  const last = start + match[0].length - 1;
  return [{ kind, spans: [{ start: last - password.length, end: last }] }];
}

/** A token by itself, or all that stands before it on the line too. */
function npmToken(kind: string, text: string, { start, end }: Span): readonly Finding[] {
  const [token = ""] = /[^\s"'`\\:/@]+$/.exec(text.slice(start, end)) ?? [];
  return token.length < TOKEN_CHARS_MIN ? [] : [{ kind, spans: [{ start: end - token.length, end }] }];
}

/** Shorter ones stand for a token. */
const TOKEN_CHARS_MIN = 16;
