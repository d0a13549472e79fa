/**
 * Made-up keys of every kind in realistic lines. They are assembled at run time so that secret scanners find none in this
 * repository.
 */

/** `line` is a line of code; `secret` is the part that must be redacted. */
export type PlantedKey = { readonly kind: string; readonly line: string; readonly secret: string };

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX = "0123456789abcdef";

/** The letters of `{a36}`: 36 of the alphabet `a`. */
const ALPHABETS: Readonly<Record<string, string>> = {
  a: LETTERS,
  b: `${LETTERS}+/`,
  c: LETTERS.slice(0, 52),
  d: "0123456789",
  h: HEX,
  l: LETTERS.slice(26),
  u: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  w: `${LETTERS}_-`,
};

/** Pseudo-random letters, deterministic for a seed. */
function some(count: number, seed: number, letters = LETTERS): string {
  let state = seed * 7919 + 17;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return letters[Math.floor((state / 2147483648) * letters.length)] ?? "x";
  }).join("");
}

/** A form with its letters filled in. `{json …}` and `{base64 …}` are encoded, `{uuid}` is one. */
function filled(form: string, seed: number): string {
  let part = seed * 31;
  const letters = form
    .replaceAll("{uuid}", "{h8}-{h4}-4{h3}-a{h3}-{h12}")
    .replaceAll(/\{([a-z])(\d+)\}/g, (_, alphabet: string, count: string) => {
      part += 1;
      return some(Number(count), part, ALPHABETS[alphabet]);
    });
  return letters.replaceAll(
    /\{(base64(?:url)?) ([^‹›]*?)\}(?=[.\s"',›]|$)/g,
    (_, encoding: "base64" | "base64url", text: string) => Buffer.from(text).toString(encoding),
  );
}

/** The secret is between the marks. */
const FORMS: readonly (readonly [kind: string, form: string])[] = [
  ["AWS secret key", 'AWS_SECRET_ACCESS_KEY = "‹{a39}7›"'],
  ["AWS secret key", `secretAccessKey: '‹{b39}7›',`],
  ["AWS access key id", 'key = "‹AKIA{u16}›"'],
  ["GitHub token", 'key = "‹ghp_{a36}›"'],
  ["GitHub token", 'key = "‹github_pat_{a22}_{a59}›"'],
  ["GitLab token", 'key = "‹glpat-{a20}›"'],
  ["Slack token", 'key = "‹xoxb-{d11}-{d12}-{a24}›"'],
  ["Slack hook", 'hook = "https://hooks.slack.com/services/‹T{u8}/B{u8}/{a24}›"'],
  ["npm token", "//registry.npmjs.org/:_authToken=‹{a36}›"],
  ["npm token", 'key = "‹npm_{a36}›"'],
  ["OpenAI key", 'key = "‹sk-proj-{a120}›"'],
  ["OpenAI key", 'key = "‹sk-{a20}T3BlbkFJ{a20}›"'],
  ["Anthropic key", 'key = "‹sk-ant-api03-{w92}xAA›"'],
  ["SendGrid key", 'key = "‹SG.{w22}.{w43}›"'],
  ["Shopify token", 'key = "‹shpat_{h32}›"'],
  ["Stripe key", 'key = "‹sk_live_{a24}›"'],
  ["Google API key", 'key = "‹AIza{w34}x›"'],
  ["Hugging Face token", 'key = "‹hf_{c34}›"'],
  ["Vault token", 'key = "‹hvs.{w94}x›"'],
  ["Databricks token", 'key = "‹dapi{h32}›"'],
  ["Docker token", 'key = "‹dckr_pat_{a27}›"'],
  ["DigitalOcean token", 'key = "‹dop_v1_{h64}›"'],
  ["PyPI token", 'key = "‹pypi-AgEIcHlwaS5vcmc{w80}›"'],
  ["Azure storage key", "AccountName=a;AccountKey=‹{b86}==›;Endpoint=b"],
  ["password in an address", 'url = "postgres://app:‹S3c{a9}›@db.internal:5432/prod"'],
  ["password in an address", 'url = "mongodb+srv://app:‹p4s{a9}›@cluster.mongodb.net/shop"'],
  ["password in an address", 'url = "redis://:‹q7w{a9}›@cache.internal:6379"'],
  ["password in an address", 'url = "https://bob:‹t5r{a9}›@git.internal/shop.git"'],
  ["JWT", 'token = "‹{base64url {"alg":"RS256","kid":"{a8}"}}.{base64url {"sub":"{d9}","exp":17{d8}}}.{w85}x›"'],
  ["bearer token", 'curl -H "Authorization: Bearer ‹{a20}7{a19}›" https://api.internal'],
  ["authorization token", 'headers = { Authorization: "Token ‹{h39}a›" }'],
  ["basic credentials", "Authorization: Basic ‹{base64 deploy:{a6}7{a9}}›"],
  ["basic credentials", '{"auths": {"registry.internal": {"auth": "‹{base64 robot:{a6}4{a9}}›"}}}'],
  ["AWS session token", 'key = "‹IQoJb3JpZ2lu{a300}›"'],
  ["Amazon Bedrock key", 'key = "‹ABSK{a120}›"'],
  ["Twilio key", 'key = "‹SK{h31}7›"'],
  ["Twilio token", "TWILIO_AUTH_TOKEN=‹{h31}b›"],
  ["Mailgun key", 'key = "‹key-{h32}›"'],
  ["Mailgun key", "mailgun_signing_key: ‹{h32}-{h8}-{h8}›"],
  ["HubSpot token", 'key = "‹pat-na1-{uuid}›"'],
  ["HubSpot key", 'hubspot_api_key = "‹{uuid}›"'],
  ["Airtable token", 'key = "‹pat{a14}.{h64}›"'],
  ["Airtable token", "AIRTABLE_API_KEY=‹key{a13}7›"],
  ["Mapbox token", 'key = "‹sk.eyJ{a80}.{w21}x›"'],
  ["Google access token", 'key = "‹ya29.{w120}›"'],
  ["Google refresh token", 'key = "‹1//0{w59}x›"'],
  ["Google OAuth secret", 'key = "‹GOCSPX-{w27}x›"'],
  ["Firebase key", 'key = "‹AAAA{w7}:APA91b{w133}x›"'],
  ["Pulumi token", 'key = "‹pul-{h40}›"'],
  ["Netlify token", 'key = "‹nfp_{a36}›"'],
  ["Netlify token", "NETLIFY_AUTH_TOKEN: ‹{a42}7›"],
  ["Fly token", 'key = "‹fo1_{w42}x›"'],
  ["Fly token", 'key = "‹fm2_{b160}›"'],
  ["Bitbucket token", 'key = "‹ATBB{a28}{h8}›"'],
  ["Bitbucket secret", 'bitbucket_client_secret = "‹{a31}7›"'],
  ["Atlassian token", 'key = "‹ATATT3{w185}=›"'],
  ["Artifactory key", 'key = "‹AKCp{a69}›"'],
  ["Artifactory token", 'key = "‹cmVmdGtu{a56}›"'],
  ["CircleCI token", 'key = "‹CCIPAT_{a22}_{h40}›"'],
  ["CircleCI token", "circle-token: ‹{h39}a›"],
  ["NuGet key", 'key = "‹oy2{l43}›"'],
  ["NuGet password", '<add key="ClearTextPassword" value="‹{a7}4{a7}›" />'],
  ["Doppler token", 'key = "‹dp.pt.{a43}›"'],
  ["Doppler token", 'key = "‹dp.st.prod.{a43}›"'],
  ["GitLab token", 'key = "‹glcbt-1a_{a20}›"'],
  ["GitLab token", 'key = "‹glrt-t1_{w27}x.01.{l9}›"'],
  ["GitLab token", 'key = "‹GR1348941{w19}x›"'],
  ["GitLab session", "Cookie: _gitlab_session=‹{h32}›"],
  ["Slack token", 'key = "‹xoxe.xoxp-1-{a160}›"'],
  ["Slack token", 'key = "‹xapp-1-A{u10}-{d13}-{h64}›"'],
  ["Slack hook", 'hook = "https://hooks.slack.com/workflows/‹T{u8}/A{u8}/{d18}/{a24}›"'],
  ["Teams hook", 'hook = "https://shop.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/‹{h32}/{uuid}›"'],
  ["Discord hook", 'hook = "https://discord.com/api/webhooks/{d18}/‹{w67}x›"'],
  ["Zapier hook", 'hook = "https://hooks.zapier.com/hooks/catch/‹{d7}/{l7}›"'],
  ["Pinecone key", 'key = "‹pcsk_{a5}_{a63}›"'],
  ["LangSmith key", 'key = "‹lsv2_pt_{h32}_{h10}›"'],
  ["Langfuse key", 'key = "‹sk-lf-{uuid}›"'],
  ["Brevo key", 'key = "‹xkeysib-{h64}-{a16}›"'],
  ["Azure AD secret", 'key = "‹{a3}8Q~{w30}x›"'],
  [
    "Azure SAS",
    'url = "https://shop.blob.core.windows.net/a/b?sv=2024-08-04&sr=b&sp=r&se=2026-01-01T00%3A00Z&sig=‹{a20}%2B{a20}%2F{a1}%3D›"',
  ],
  ["Azure access key", "Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=‹{b43}=›"],
  ["Azure key", 'key = "‹{a42}AzSeD{a5}›"'],
  ["Okta token", "Authorization: SSWS ‹00{w39}7›"],
  ["connection password", 'dsn = "Server=db.internal;Database=shop;User Id=app;Password=‹{a5}7{a6}›;Encrypt=true"'],
  ["connection password", 'url = "jdbc:postgresql://db.internal/shop?user=app&password=‹{a5}4{a6}›&ssl=true"'],
  ["connection password", 'redis = "cache.internal:6380,password=‹{a20}4{a22}=›,ssl=True,abortConnect=False"'],
  ["Groq key", 'key = "‹gsk_{a52}›"'],
  ["OpenRouter key", 'key = "‹sk-or-v1-{h64}›"'],
  ["DeepSeek key", 'key = "‹sk-{h31}7›"'],
  ["ElevenLabs key", 'key = "‹sk_{h47}7›"'],
  ["Perplexity key", 'key = "‹pplx-{a48}›"'],
  ["xAI key", 'key = "‹xai-{a80}›"'],
  ["Replicate token", 'key = "‹r8_{a37}›"'],
  ["NVIDIA key", 'key = "‹nvapi-{w63}x›"'],
  ["Cerebras key", 'key = "‹csk-{l48}›"'],
  ["Fireworks key", 'key = "‹fw_{a24}›"'],
  ["Tavily key", 'key = "‹tvly-dev-{a32}›"'],
  ["Jina key", 'key = "‹jina_{w59}x›"'],
  ["Apify token", 'key = "‹apify_api_{a36}›"'],
  ["wandb key", "WANDB_API_KEY=‹{h39}7›"],
  ["Terraform token", 'key = "‹{a14}.atlasv1.{a67}›"'],
  ["Telegram token", 'key = "‹{d10}:AA{w32}x›"'],
  ["Mailchimp key", 'key = "‹{h31}7-us14›"'],
  ["MaxMind key", 'key = "‹{a6}_{a29}_mmk›"'],
  ["New Relic key", 'key = "‹NRAK-{u27}›"'],
  ["DeepL key", 'key = "‹{uuid}:fx›"'],
  ["Notion token", 'key = "‹ntn_{d11}{a35}›"'],
  ["Linear key", 'key = "‹lin_api_{a40}›"'],
  ["Figma token", 'key = "‹figd_{w39}x›"'],
  ["Grafana token", 'key = "‹glsa_{a32}_{h8}›"'],
  ["Dynatrace token", 'key = "‹dt0c01.{u24}.{u64}›"'],
  ["Sentry token", 'key = "‹sntryu_{h64}›"'],
  ["PostHog key", 'key = "‹phx_{a43}›"'],
  ["Postman key", 'key = "‹PMAK-{h24}-{h34}›"'],
  ["RubyGems key", 'key = "‹rubygems_{h48}›"'],
  ["crates key", 'key = "‹cio{a32}›"'],
  ["Sonar token", 'key = "‹squ_{h40}›"'],
  ["Sourcegraph token", 'key = "‹sgp_{h40}›"'],
  ["Buildkite token", 'key = "‹bkua_{l40}›"'],
  ["Vercel token", 'key = "‹vcp_{a40}›"'],
  ["Supabase token", 'key = "‹sbp_{h40}›"'],
  ["Neon key", 'key = "‹napi_{l64}›"'],
  ["PlanetScale token", 'key = "‹pscale_tkn_{w42}x›"'],
  ["Cloudflare token", 'key = "‹cfut_{a40}{h8}›"'],
  ["Tailscale key", 'key = "‹tskey-auth-{a17}-{a32}›"'],
  ["Heroku key", "HEROKU_API_KEY=‹{uuid}›"],
  ["Datadog key", "DD_API_KEY=‹{h31}7›"],
  ["Snyk token", "SNYK_TOKEN: ‹{uuid}›"],
  ["Square token", 'key = "‹EAAA{w59}x›"'],
  ["Facebook token", 'key = "‹EAAG{a150}›"'],
  ["Plaid token", 'key = "‹access-production-{uuid}›"'],
  ["Razorpay key", 'key = "‹rzp_live_{a14}›"'],
  ["Alibaba key", 'key = "‹LTAI{a20}›"'],
  ["1Password token", 'key = "‹ops_eyJ{a260}›"'],
  ["age key", 'key = "‹AGE-SECRET-KEY-1{u58}›"'],
  ["webhook secret", 'key = "‹whsec_{b32}›"'],
  ["Resend key", 'key = "‹re_{a8}_{a24}›"'],
  ["Contentful token", 'key = "‹CFPAT-{w42}x›"'],
  ["Dropbox token", 'key = "‹sl.u.{w135}x›"'],
  ["DigitalOcean token", 'digitalocean_token ?= "‹{h63}7›"'],
  ["OpenAI key", 'key = process.env.AZURE_OPENAI_KEY || "‹{h31}7›";'],
  ["Vault token", "VAULT_TOKEN=‹s.{a23}7›"],
  ["Slack hook", 'hook = "https://hooks.slack-gov.com/services/‹T{u8}/B{u8}/{a24}›"'],
  [
    "Teams hook",
    'hook = "https://shop.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/‹{h32}/{uuid}/V2{w42}x›"',
  ],
  ["Discord token", "DISCORD_TOKEN=‹M{a23}.{a6}.{w26}x›"],
];

/** Keys of every kind, one per line. */
export const PLANTED_KEYS: readonly PlantedKey[] = FORMS.map(([kind, form], at) => {
  const [before = "", secret = "", after = ""] = filled(form, at + 1).split(/[‹›]/);
  return { kind, secret, line: before + secret + after };
});

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
