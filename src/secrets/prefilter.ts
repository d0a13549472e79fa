/**
 * Whether a text may hold a secret at all: a cheap look that never misses one.
 *
 * Every rule needs one of these marks to find anything, so a text without any needs no rules, which take twenty times
 * as long. A mark is looked for where its first three characters may begin: a table of 2^15 bits, by the lower five
 * bits of each, so that it also holds for both cases of a letter. A test holds the marks to the rules' own patterns.
 * Not here: whether what is there is a secret (`redact.ts`).
 */

/** The marks of the preset's rules, as they are written. */
const OF_PRESET: readonly string[] = [
  ...["T3BlbkFJ", "sk-ant-api0", "gsk_", "hf_", "lin_api_", "ntn_", "PRIVATE KEY", "SG.", "npm_"],
  ...["xoxb-", "xoxp-", "xapp-", "xoxa-", "xoxo-", "xoxr-", "x-oauth-basic"],
  ...["shppa_", "shpca_", "shpat_", "shpss_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
  ...["glpat-", "glc_", "glsa_", "ops_ey", "hvs.", "hvb.", "hvr."],
  ...["vcp_", "vci_", "vca_", "vcr_", "vck_", "dapi", "dckr_pat_", "figd_"],
  ...["cfk_", "cfut_", "cfat_", "tskey-"],
];

/** The same, in any case. */
const OF_PRESET_IN_ANY_CASE: readonly string[] = ["secretaccess", "secret_access", "hooks.slack.com"];

/** The marks of our own rules. */
const OWN: readonly string[] = [
  ...["_auth=", "_auth =", "_auth  =", "_authToken"],
  ...["AKIA", "ASIA", "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-ant-", "sk-or-v1-", "AIza", "GOCSPX-"],
  ...["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "pypi-AgE", "dop_v1_", "doo_v1_", "dor_v1_"],
  ...["AccountKey=", "/api/webhooks/", "AGE-SECRET-KEY-1", "gldt-", "glrt-", "glptt-", "glagent-", "gloas-"],
  ...["rubygems_", "PMAK-", "NRAK-", "dp.pt.", "pscale_", ".atlasv1.", "sbp_", "xai-", "pplx-", "r8_", "ATATT3"],
  ...["sntrys_", "sntryu_", "EAAA", "sq0csp-", ":AA"],
];
const OWN_IN_ANY_CASE: readonly string[] = ["secret-access"];

const EXACT = [...OF_PRESET, ...OWN];
const ANY_CASE = [...OF_PRESET_IN_ANY_CASE, ...OWN_IN_ANY_CASE];

/** A password in an address, or the beginning of one that was cut off. */
const IN_ADDRESS = /:\/\/[^:/\s]{0,1024}:[^@/\s]{1,1024}[@…]/;

/** Marks by where their first three characters lead, and whether any lead there. */
const LISTS = new Map<number, Mark[]>();
const STARTS = new Uint8Array(1 << 15);

type Mark = { readonly text: string; readonly anyCase: boolean };

/** What the rules take only where no word goes on, and what data that is written as base64 often holds. */
const BEGINS_WORD: ReadonlySet<string> = new Set(["EAAA"]);
const WORD = /[A-Za-z0-9_]/;

for (const [marks, anyCase] of [
  [EXACT, false],
  [ANY_CASE, true],
] as const) {
  for (const text of marks) {
    const place = [...text.slice(0, 3)].reduce((place, letter) => next(place, letter.charCodeAt(0)), 0);
    LISTS.set(place, [...(LISTS.get(place) ?? []), { text, anyCase }]);
    STARTS[place] = 1;
  }
}

/** Where a character leads from the place of those before it. */
function next(place: number, unit: number): number {
  return ((place << 5) | (unit & 31)) & 0x7fff;
}

/** False only for a text in which no rule finds anything, and in which no secret begins that was cut off. */
export const mayHoldSecret = (text: string): boolean => isMarked(text, false);

/** False only for a text in which no rule finds anything; for fewer texts true than the other. */
export const mayHoldWholeSecret = (text: string): boolean => isMarked(text, true);

function isMarked(text: string, isWhole: boolean): boolean {
  let place = 0;
  for (let at = 0; at < text.length; at += 1) {
    place = next(place, text.charCodeAt(at));
    if (STARTS[place] === 1 && isMarkedAt(text, at - 2, place, isWhole)) return true;
  }
  return IN_ADDRESS.test(text);
}

function isMarkedAt(text: string, at: number, place: number, isWhole: boolean): boolean {
  for (const mark of LISTS.get(place) ?? []) {
    if (text.startsWith(mark.text, at))
      if (!isWhole || !BEGINS_WORD.has(mark.text) || !WORD.test(text.charAt(at - 1))) return true;
    if (mark.anyCase && text.slice(at, at + mark.text.length).toLowerCase() === mark.text) return true;
  }
  return false;
}
