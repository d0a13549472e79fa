/**
 * Recognizes comments that explain why.
 *
 * A comment is a rationale if it contains a phrase that gives a reason. Words with other meanings count only in phrases
 * that give reasons ("since we …", not "since 2.0"). The test prefers missing a rationale to inventing one. The tests
 * have a table of examples.
 */

/** Ways to give a reason, and the pattern of each. */
const REASONS = {
  because: /\b(?:because|'?cause we|as otherwise|or else (?:we|it|the|this)\b)/,
  purpose:
    /\b(?:so that|in order (?:to|that|for|not)|so (?:we|it|they|users?|callers?) (?:can|do not|don't|does not|doesn't|won't|will|never)\b)/,
  avoidance:
    /\b(?:(?:to|we|this|that|which|it|and) (?:avoids?|prevents?|guards? against|works? around)\b|to (?:make sure|ensure|guarantee|preserve|minimi[sz]e|stay compatible|remain compatible|keep (?:backwards?|compatib)))/,
  workaround: /\bwork(?:ed|ing)?[- ]?arounds?\b/,
  cause:
    /\b(?:due to|owing to|thanks to)\b|\bas (?:we|it|this|they|that) (?:would|do not|don't|does not|doesn't|can't|cannot|might)\b/,
  since:
    /(?<!\b(?:time|times|seconds|ms|elapsed|changed|modified|deprecated|added|available|ever|bytes|days?|years?|long|commits?|and|or)\s)(?<!@)\bsince (?:we|it|its|it's|this|that|these|those|there|they|their|you|i|our|your|not|no|nothing|some|all|many|most|both|each|every|any|only|otherwise|calling|using|a|an|the (?!(?:last|first|previous|beginning|start|epoch|release|version|initial)\b))/,
  sinceClause:
    /^since (?!v?\d|versions?\b|python\b|node\b|release\b|the (?:last|first|previous|beginning|start|epoch|release|version))[\w`'".]+ .*,/,
  otherwise:
    /(?<!\b(?:unless|or|and|until) )\botherwise,?(?: \S+){0,7} (?:would(?:n't)?|will|won't|can't|cannot|could|couldn't|might|may|fails?|breaks?|gets?|ends? up|throws?|raises?|crash(?:es)?|never|is lost|are lost)\b/,
  reason:
    /\b(?:the |one |another |main |only )reasons? (?:for|why|is|we|this|that|being|to|behind)\b|\b(?:for|with) (?:\w+ ){1,3}reasons?\b|^reasons?:|\breason(?:ing)? is that\b/,
  need: /\b(?:needed|necessary|required) (?:for|by|so|because|since|in order|to (?:keep|make|work|support|get|satisfy|allow|ensure|handle))\b|\bneeded here\b/,
  order: /\b(?:must|has to|have to|needs? to)\b[^.]{0,60}\b(?:before|after (?!all\b)|prior to)/,
  therefore:
    /\b(?:which is why|that's why|that is why|this is why|here's why|hence|therefore|as a result|consequently)\b/,
  intent: /\b(?:on purpose|intentional(?:ly)?|deliberate(?:ly)?|by design|not a (?:bug|mistake|typo))\b/,
  compatibility:
    /\bfor (?:backwards?|forwards?|legacy|historical|performance|compatibility|consistency|security|safety|efficiency|symmetry|interoperab\w+)\b(?! (?:tests?|checks?)\b)|\b(?:backwards?|back|bw|b\/w)[- ]compat/,
  regret: /\b(?:unfortunately|sadly|annoyingly|turns out|historically)\b/,
  rejected:
    /\b(?:we|it|this) (?:can't|cannot|can not|could not|couldn't|must not|mustn't|shouldn't|should not|don't want to|do not want to) (?:just |simply |directly |rely |use |be |do |call |assume )/,
} as const satisfies Record<string, RegExp>;

const PATTERNS = Object.values(REASONS);

/** Characters searched. A reason late in a long comment is not its subject. */
const LOOK_MAX = 2_000;

/** Whether a comment's content (without comment signs, see `comments.ts`) explains why. */
export function isRationale(content: string): boolean {
  const folded = content.slice(0, LOOK_MAX).toLowerCase().replace(/[’]/g, "'").replace(/\s+/g, " ").trim();
  return PATTERNS.some((pattern) => pattern.test(folded));
}
