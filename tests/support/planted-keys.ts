/**
 * Fake keys of many kinds in realistic code. They are assembled at run time so that secret scanners find none in this
 * repository.
 */

/** `line` is a line of code; `secret` is the part that must be redacted. */
export type PlantedKey = { readonly kind: string; readonly line: string; readonly secret: string };

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Pseudo-random letters, deterministic for a seed. */
function some(count: number, seed: number, letters = LETTERS): string {
  let state = seed * 7919 + 17;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return letters[Math.floor((state / 2147483648) * letters.length)] ?? "x";
  }).join("");
}

const HEX = "0123456789abcdef";
const DIGITS = "0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const assigned = (kind: string, prefix: string, rest: string): PlantedKey => ({
  kind,
  secret: `${prefix}${rest}`,
  line: `key = "${prefix}${rest}"`,
});
const inside = (kind: string, before: string, secret: string, after: string): PlantedKey => ({
  kind,
  secret,
  line: `${before}${secret}${after}`,
});

/** One key of each kind, one per line. */
export const PLANTED_KEYS: readonly PlantedKey[] = [
  inside("AWS secret key", `AWS_${"SECRET"}_ACCESS_KEY = "`, some(40, 1), '"'),
  inside("AWS secret key", `secretAccess${"Key"}: '`, some(40, 2), "',"),
  assigned("AWS access key id", "AKI" + "A", some(16, 3, UPPER)),
  assigned("GitHub token", "gh" + "p_", some(36, 4)),
  assigned("GitHub token", "github" + "_pat_", some(82, 5)),
  assigned("GitLab token", "glp" + "at-", some(20, 6)),
  assigned("Slack token", "xo" + "xb-", `${some(11, 7, DIGITS)}-${some(24, 8)}`),
  inside(
    "Slack token",
    'hook = "',
    `https://hooks.sl${"ack"}.com/services/T${some(8, 9)}/B${some(8, 10)}/${some(24, 11)}`,
    '"',
  ),
  inside("npm token", `//registry.npmjs.org/:_auth${"Token"}=`, some(36, 12), ""),
  assigned("npm token", "np" + "m_", some(36, 13)),
  assigned("OpenAI key", "sk-" + "proj-", some(120, 14)),
  assigned("OpenAI key", "sk" + "-", `${some(20, 15)}T3Blbk${"FJ"}${some(20, 16)}`),
  assigned("Anthropic key", "sk-" + "ant-api03-", `${some(93, 17)}AA`),
  assigned("SendGrid key", "S" + "G.", `${some(22, 18)}.${some(43, 19)}`),
  assigned("Shopify token", "shp" + "at_", some(32, 20, HEX)),
  assigned("Stripe key", "sk" + "_live_", some(24, 21)),
  assigned("Google API key", "AI" + "za", some(35, 22)),
  assigned("Hugging Face token", "h" + "f_", some(34, 23, LETTERS.slice(0, 52))),
  assigned("Vault token", "hv" + "s.", some(95, 24)),
  assigned("Databricks token", "da" + "pi", some(32, 25, HEX)),
  assigned("Docker token", "dckr" + "_pat_", some(27, 26)),
  assigned("DigitalOcean token", "dop" + "_v1_", some(64, 27, HEX)),
  assigned("PyPI token", "pyp" + "i-AgEIcHlwaS5vcmc", some(80, 28)),
  inside("Azure storage key", `AccountName=a;Account${"Key"}=`, `${some(86, 29)}==`, ";Endpoint=b"),
  inside("password in an address", 'url = "postgres://app:', `S3c${some(9, 30)}`, '@db.internal:5432/prod"'),
  inside("password in an address", 'url = "mongodb+srv://app:', `p4s${some(9, 31)}`, '@cluster.mongodb.net/shop"'),
  inside("password in an address", 'url = "redis://:', `q7w${some(9, 32)}`, '@cache.internal:6379"'),
  inside("password in an address", 'url = "https://bob:', `t5r${some(9, 33)}`, '@git.internal/shop.git"'),
];

/** The lines of a private key. */
const KEY_LINES: readonly string[] = [
  `MII${some(61, 41)}`,
  ...Array.from({ length: 10 }, (_, at) => some(64, 42 + at)),
  `${some(18, 60)}==`,
];

const armoured = (lines: readonly string[], end: string): string =>
  [`-----BEGIN RSA PRIV${"ATE"} KEY-----`, ...lines, `-----END RSA PRIV${"ATE"} KEY-----`].join(end);

/** Private keys in different notations; each line of `KEY_LINES` is a secret. */
export const PRIVATE_KEYS = {
  lines: KEY_LINES,
  plain: armoured(KEY_LINES, "\n"),
  commented: armoured(KEY_LINES, "\n# ").replace(/^/, "# "),
  escaped: armoured(KEY_LINES, "\\n"),
  cutOff: armoured(KEY_LINES, "\n").split("\n").slice(0, 6).join("\n"),
} as const;

/** Every text that must be redacted. */
export const PLANTED_SECRETS: readonly string[] = [...PLANTED_KEYS.map(({ secret }) => secret), ...KEY_LINES];
