/**
 * Rules for secrets that the preset does not know, or knows in other shapes only.
 *
 * Each rule is a fixed shape that nothing else has; there is no rule for values that are merely called a password. The
 * prefilter must list a marker for every rule. A match never holds a quote, so redacted JSON stays JSON.
 */
import type { SecretMatch } from "./redactor.ts";

/** `pattern` is global. Where it has a group `secret`, only that group is the secret. */
type OwnRule = { readonly kind: string; readonly pattern: RegExp };

/** A token with word boundaries around it. */
const token = (kind: string, shape: string): OwnRule => ({
  kind,
  pattern: new RegExp(`(?<![A-Za-z0-9_])(?:${shape})(?![A-Za-z0-9_-])`, "g"),
});

const RULES: readonly OwnRule[] = [
  token("AWS access key id", "(?:AKIA|ASIA)(?!IOSFODNN7EXAMPLE)[A-Z2-7]{16}"),
  {
    kind: "AWS secret key",
    pattern:
      /secret[_-]?access[_-]?key\\?["']?\s{0,4}(?::|=>|=|,)?\s{0,4}\\?["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  { kind: "npm token", pattern: /_auth(?:Token)? {0,2}= {0,2}["']?(?<secret>[A-Za-z0-9_+/-]{20,400}={0,2})/g },
  token("OpenAI key", "sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,300}"),
  token("Anthropic key", "sk-ant-[a-z]{3,8}[0-9]{2}-[A-Za-z0-9_-]{32,200}"),
  token("OpenRouter key", "sk-or-v1-[a-f0-9]{64}"),
  token("Google API key", "AIza[A-Za-z0-9_-]{35}"),
  token("Google OAuth secret", "GOCSPX-[A-Za-z0-9_-]{28}"),
  token("Stripe key", "[sr]k_(?:live|test)_[A-Za-z0-9]{20,250}"),
  token("webhook secret", "whsec_[A-Za-z0-9+/]{32,100}={0,2}"),
  token("PyPI token", "pypi-AgE[A-Za-z0-9_-]{50,1000}"),
  token("DigitalOcean token", "do[opr]_v1_[a-f0-9]{64}"),
  { kind: "Azure storage key", pattern: /AccountKey=(?<secret>[A-Za-z0-9+/]{86}==)/g },
  {
    kind: "Discord webhook",
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/(?<secret>[A-Za-z0-9_-]{60,80})/g,
  },
  token("age key", "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
  token("GitLab token", "gl(?:dt|rt|ptt|agent|oas)-[A-Za-z0-9_.-]{20,300}"),
  token("RubyGems key", "rubygems_[a-f0-9]{48}"),
  token("Postman key", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
  token("New Relic key", "NRAK-[A-Z0-9]{27}"),
  token("Doppler token", "dp\\.pt\\.[A-Za-z0-9]{40,44}"),
  token("PlanetScale token", "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}"),
  token("Terraform token", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}"),
  token("Supabase token", "sbp_[a-f0-9]{40}"),
  token("xAI key", "xai-[A-Za-z0-9]{70,90}"),
  token("Perplexity key", "pplx-[A-Za-z0-9]{40,60}"),
  token("Replicate token", "r8_[A-Za-z0-9]{37}"),
  token("Atlassian token", "ATATT3[A-Za-z0-9_=-]{100,300}"),
  token("Sentry token", "sntry[su]_[A-Za-z0-9+/=_]{60,400}"),
  token("Square token", "(?:EAAA[A-Za-z0-9_-]{60}|sq0csp-[A-Za-z0-9_-]{43})"),
  token("Telegram token", "[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
];

/** The matches of all own rules, in no particular order. */
export function ownMatches(text: string): readonly SecretMatch[] {
  return RULES.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map((match): SecretMatch => {
      const secret = match.groups?.secret ?? match[0];
      // In a pattern with a group, the secret is the last part of the match.
      const end = match.index + match[0].length;
      return { kind, spans: [{ start: end - secret.length, end }] };
    }),
  );
}
