/**
 * Tells cheaply whether a text may hold a secret. It never misses one.
 *
 * Every rule needs one of these literals to match, and running the rules takes twenty times as long. Literals are looked
 * up by their first three characters in a table of 2^15 bits, built from the lower five bits of each character, so that it
 * serves both cases of a letter. A test checks the literals against the rules' own patterns.
 */
/** Literals of the preset's rules, case-sensitive. */
const PRESET: readonly string[] = [
  ...["T3BlbkFJ", "sk-ant-api0", "gsk_", "hf_", "lin_api_", "ntn_", "PRIVATE KEY", "SG.", "npm_"],
  ...["xoxb-", "xoxp-", "xapp-", "xoxa-", "xoxo-", "xoxr-", "x-oauth-basic"],
  ...["shppa_", "shpca_", "shpat_", "shpss_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
  ...["glpat-", "glc_", "glsa_", "ops_ey", "hvs.", "hvb.", "hvr."],
  ...["vcp_", "vci_", "vca_", "vcr_", "vck_", "dapi", "dckr_pat_", "figd_"],
  ...["cfk_", "cfut_", "cfat_", "tskey-"],
];

/** Literals of the preset's rules, case-insensitive. */
const PRESET_ANY_CASE: readonly string[] = ["secretaccess", "secret_access", "hooks.slack.com"];

/** Literals of our own rules. */
const OWN: readonly string[] = [
  ...["_auth=", "_auth =", "_auth  =", "_authToken"],
  ...["AKIA", "ASIA", "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-ant-", "sk-or-v1-", "AIza", "GOCSPX-"],
  ...["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "pypi-AgE", "dop_v1_", "doo_v1_", "dor_v1_"],
  ...["AccountKey=", "/api/webhooks/", "AGE-SECRET-KEY-1", "gldt-", "glrt-", "glptt-", "glagent-", "gloas-"],
  ...["rubygems_", "PMAK-", "NRAK-", "dp.pt.", "pscale_", ".atlasv1.", "sbp_", "xai-", "pplx-", "r8_", "ATATT3"],
  ...["sntrys_", "sntryu_", "EAAA", "sq0csp-", ":AA"],
];
const OWN_ANY_CASE: readonly string[] = ["secret-access"];

const EXACT = [...PRESET, ...OWN];
const ANY_CASE = [...PRESET_ANY_CASE, ...OWN_ANY_CASE];

/** A password in a URL, or the start of one that was cut off. */
const IN_ADDRESS = /:\/\/[^:/\s]{0,1024}:[^@/\s]{1,1024}[@…]/;

/** Literals by the table slot of their first three characters, and which slots are in use. */
const LISTS = new Map<number, Literal[]>();
const STARTS = new Uint8Array(1 << 15);

type Literal = { readonly text: string; readonly anyCase: boolean };

/** Literals that count only at the start of a word: base64 data often contains them. */
const BEGINS_WORD: ReadonlySet<string> = new Set(["EAAA"]);
const WORD = /[A-Za-z0-9_]/;

for (const [literals, anyCase] of [
  [EXACT, false],
  [ANY_CASE, true],
] as const) {
  for (const text of literals) {
    const slot = [...text.slice(0, 3)].reduce((slot, letter) => next(slot, letter.charCodeAt(0)), 0);
    LISTS.set(slot, [...(LISTS.get(slot) ?? []), { text, anyCase }]);
    STARTS[slot] = 1;
  }
}

/** The table slot after one more character. */
function next(slot: number, unit: number): number {
  return ((slot << 5) | (unit & 31)) & 0x7fff;
}

/** False only if no rule matches the text and no secret starts in it that was cut off. */
export const mayHoldSecret = (text: string): boolean => hasLiteral(text, false);

/** False only if no rule matches the text. Stricter than `mayHoldSecret`: ignores secrets that were cut off. */
export const mayHoldWholeSecret = (text: string): boolean => hasLiteral(text, true);

function hasLiteral(text: string, isWhole: boolean): boolean {
  let slot = 0;
  for (let at = 0; at < text.length; at += 1) {
    slot = next(slot, text.charCodeAt(at));
    if (STARTS[slot] === 1 && hasLiteralAt(text, at - 2, slot, isWhole)) return true;
  }
  return IN_ADDRESS.test(text);
}

function hasLiteralAt(text: string, at: number, slot: number, isWhole: boolean): boolean {
  for (const literal of LISTS.get(slot) ?? []) {
    if (text.startsWith(literal.text, at))
      if (!isWhole || !BEGINS_WORD.has(literal.text) || !WORD.test(text.charAt(at - 1))) return true;
    if (literal.anyCase && text.slice(at, at + literal.text.length).toLowerCase() === literal.text) return true;
  }
  return false;
}
