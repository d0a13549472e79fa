/**
 * Rules for secrets without a literal in front: one is inside, the address of a service is around them, or a name stands before.
 */
import { anyCaseShape, distantShape, isVaried, named, type PatternRule, shape } from "./rule.ts";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const DIGITS = [..."0123456789"];
const HEX_DIGITS = [..."0123456789abcdef"];
const BEGIN = "(?<![A-Za-z0-9])";
const END = "(?![A-Za-z0-9])";
/** What a key has before its marker. */
const HEAD = (letters: string): string => `(?<=${BEGIN}(?<head>${letters}))`;

/** Neither a word nor a hash in hexadecimal. */
const isMixed = (value: string): boolean =>
  isVaried(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /[0-9]/.test(value);
const isHexKey = (value: string): boolean => isVaried(value) && /[0-9]/.test(value) && /[a-f]/i.test(value);
const isAlphanumeric = (value: string): boolean => isVaried(value) && /[0-9]/.test(value) && /[A-Za-z]/.test(value);
/** Not the token in the documentation of every library. */
const isNoExample = (value: string): boolean =>
  isVaried(value) && !value.includes(".eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l");

const AROUND_LITERAL: readonly PatternRule[] = [
  shape("OpenAI key", ["T3BlbkFJ"], `${HEAD("sk-[A-Za-z0-9_-]{20,90}")}T3BlbkFJ[A-Za-z0-9_-]{20,90}`),
  shape("DeepSeek key", ["sk-"], `${BEGIN}sk-[a-f0-9]{32}${END}`, isHexKey),
  shape("ElevenLabs key", ["sk_"], `${BEGIN}sk_[a-f0-9]{48}${END}`, isHexKey),
  shape(
    "Twilio key",
    HEX_DIGITS.map((one) => `SK${one}`),
    `${BEGIN}SK[a-f0-9]{32}${END}`,
    isHexKey,
  ),
  shape("Terraform token", [".atlasv1."], `${HEAD("[A-Za-z0-9]{14}")}\\.atlasv1\\.[A-Za-z0-9_=-]{60,80}`),
  shape("Telegram token", [":AA"], `${HEAD("[0-9]{8,10}")}:AA[A-Za-z0-9_-]{33}${END}`),
  shape("Firebase key", [":APA91b"], `${HEAD("[A-Za-z0-9_-]{11,30}")}:APA91b[A-Za-z0-9_-]{100,200}`),
  shape("Mailchimp key", ["-us"], `${HEAD("[a-f0-9]{32}")}-us[0-9]{1,2}${END}`, isHexKey),
  shape("MaxMind key", ["_mmk"], `${HEAD("[A-Za-z0-9]{6}_[A-Za-z0-9]{29}")}_mmk${END}`),
  shape("New Relic key", ["FFFFNRAL"], `${HEAD("[a-z0-9]{32}")}FFFFNRAL${END}`),
  shape("DeepL key", [":fx"], `${HEAD(UUID)}:fx${END}`),
  shape(
    "Azure AD secret",
    DIGITS.map((one) => `${one}Q~`),
    `${HEAD("[A-Za-z0-9_~.-]{3}")}[0-9]Q~[A-Za-z0-9_~.-]{31,34}${END}`,
  ),
  shape(
    "Azure key",
    ["AzFu", "AzSe", "ACDb", "+ASt", "AzCa", "+ACR", "AZDO"],
    `${HEAD("[A-Za-z0-9+/_-]{33,80}")}(?:AzFu|AzSe|ACDb|\\+ASt|AzCa|\\+ACR|AZDO)[A-Za-z0-9+/_-]{4,8}={0,2}${END}`,
    isMixed,
  ),
  shape("Azure storage key", ["AccountKey="], "AccountKey=(?<secret>[A-Za-z0-9+/]{86}==)"),
  shape("Azure access key", ["SharedAccessKey="], "SharedAccessKey=(?<secret>[A-Za-z0-9+/]{43}=)"),
  shape(
    "npm token",
    ["_authToken=", "_authToken =", "_auth=", "_password="],
    `_(?:authToken ?= ?|auth=|password=)["']?(?<secret>[A-Za-z0-9_+/-]{20,400}={0,2})(?![\\w+/=(-])`,
    isAlphanumeric,
  ),
  shape(
    "JWT",
    ["eyJ"],
    // Of beginnings close to each other only the first counts, or a text of nothing else would be read for each.
    `${BEGIN}(?<!${BEGIN}eyJ[A-Za-z0-9_-]{0,60})eyJ[A-Za-z0-9_-]{14,4000}(?:\\.[A-Za-z0-9_-]{0,8000}){1,3}\\.[A-Za-z0-9_-]{20,8000}`,
    isNoExample,
  ),
  shape(
    "AWS secret key",
    ["AKIA", "ASIA"],
    `A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9/+]{1,8}(?<secret>[A-Za-z0-9/+]{40})${END}`,
    isMixed,
  ),
  shape("GitLab session", ["_gitlab_session="], `_gitlab_session=(?<secret>[0-9a-f]{32})${END}`),
  shape("Okta token", ["SSWS "], `SSWS (?<secret>00[A-Za-z0-9_-]{40})${END}`),
  shape(
    "Slack hook",
    ["hooks.slack.com/", "hooks.slack-gov.com/"],
    "hooks\\.slack(?:-gov)?\\.com/[a-z]{8,9}/(?<secret>[A-Za-z0-9/]{30,120})",
  ),
  shape("Discord hook", ["/api/webhooks/"], "/api/webhooks/\\d{15,22}/(?<secret>[A-Za-z0-9_-]{60,80})"),
  shape(
    "Teams hook",
    ["/IncomingWebhook/"],
    `/IncomingWebhook/(?<secret>[A-Za-z0-9]{32}/${UUID}(?:/V2[A-Za-z0-9_-]{0,80})?)`,
  ),
  shape(
    "Zapier hook",
    ["hooks.zapier.com/"],
    "hooks\\.zapier\\.com/hooks/catch/(?<secret>\\d{4,12}/[A-Za-z0-9]{6,12})",
  ),
  shape("GitHub token", [":x-oauth-basic@"], "(?<=://(?<head>[^\\s:/@\"'`]{16,256}))(?=:x-oauth-basic@)"),
  anyCaseShape("Azure SAS", ["sig="], "(?<=[?&;])sig=(?<secret>[A-Za-z0-9%+/_-]{40,100}={0,2})", isInSasUrl),
];

/** A signature has the version and the rights beside it. */
function isInSasUrl(value: string, text: string, at: number): boolean {
  const around = text.slice(Math.max(0, at - URL_CHARS_MAX), at + value.length + URL_CHARS_MAX);
  return isVaried(value) && /[?&;]sv=/.test(around) && /[?&;]s[pr]=/.test(around);
}
const URL_CHARS_MAX = 400;

const AFTER_NAME: readonly PatternRule[] = [
  distantShape(
    "AWS secret key",
    ["secret_acc", "secretacc", "secret-acc", "aws_secret", "awssecret", "aws-secret"],
    `(?:aws[_-]?secret[_-]?(?:access[_-]?)?|secret[_-]?access[_-]?)key["'\`]{0,2}\\s{0,4}(?:[:?]{1,3}=|=>|[:=,>])?\\s{0,4}["'\`]{0,2}(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
    isVaried,
  ),
  named("Airtable token", ["airtable"], "key[A-Za-z0-9]{14}", isAlphanumeric, ["airta"]),
  named("Algolia key", ["algolia"], "[a-f0-9]{32}", isHexKey),
  named("Alibaba key", ["alibaba", "aliyun"], "[A-Za-z0-9]{30}", isMixed),
  named("Artifactory key", ["artifactory", "jfrog"], "[A-Za-z0-9]{64}(?:[A-Za-z0-9]{9})?", isMixed),
  named("Bitbucket secret", ["bitbucket"], "[A-Za-z0-9]{32}(?:[A-Za-z0-9=_-]{32})?", isMixed),
  named("CircleCI token", ["circle"], "[a-f0-9]{40}", isHexKey),
  named("Cloudflare key", ["cloudflare"], "(?:[a-f0-9]{37}|[A-Za-z0-9_-]{40})", isAlphanumeric),
  named("Codecov token", ["codecov"], UUID, isHexKey),
  named("Cohere key", ["cohere"], "[A-Za-z0-9]{40}", isMixed),
  named("Datadog key", ["datadog", "dd_api_key", "dd_app_key"], "[a-f0-9]{32}(?:[a-f0-9]{8})?", isHexKey),
  named("DigitalOcean token", ["digitalocean"], "[a-f0-9]{64}", isHexKey),
  named("Discord token", ["discord"], "[MNO][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}", isVaried),
  named("Facebook secret", ["facebook"], "[a-f0-9]{32}", isHexKey, ["faceb"]),
  named("Fastly key", ["fastly"], "[A-Za-z0-9_-]{32}", isMixed),
  named("Heroku key", ["heroku"], UUID, isHexKey),
  named("HubSpot key", ["hubspot", "hapikey", "hubapi"], UUID, isHexKey),
  named("LaunchDarkly key", ["launchdarkly", "ld_sdk"], `(?:sdk|api|mob)-${UUID}`, isHexKey),
  named("Mailgun key", ["mailgun"], "[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}", isHexKey),
  named("Mistral key", ["mistral"], "[A-Za-z0-9]{32}", isMixed),
  named("Netlify token", ["netlify"], "[A-Za-z0-9_-]{43,46}", isMixed),
  named("OpenAI key", ["openai"], "[a-f0-9]{32}", isHexKey),
  named("Okta token", ["okta"], "00[A-Za-z0-9_-]{40}", isAlphanumeric),
  named("Pinecone key", ["pinecone"], UUID, isHexKey),
  named("Snyk token", ["snyk"], UUID, isHexKey),
  named("Twilio token", ["twilio"], "[a-f0-9]{32}", isHexKey),
  named("Twitch secret", ["twitch"], "[a-z0-9]{30}", isAlphanumeric),
  named("Twitter secret", ["twitter"], "[A-Za-z0-9]{45,50}", isMixed),
  named("Vault token", ["vault"], "s\\.[A-Za-z0-9]{24}", isMixed),
  named("wandb key", ["wandb"], "[a-f0-9]{40}", isHexKey),
];

export const SHAPE_RULES: readonly PatternRule[] = [...AROUND_LITERAL, ...AFTER_NAME];
