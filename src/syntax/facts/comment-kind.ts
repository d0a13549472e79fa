/**
 * Classifies a comment by its text.
 *
 * Markers win over contents, and the first match wins: todo, fixme, hack, note, a reference to a bug, a rationale,
 * general. Shebangs, licences and directives (texts for tools, not for people) are always general.
 */
import type { CommentKind } from "./facts.ts";

/**
 * Comments that linters, compilers, bundlers and editors read. Matched against the start of the comment, with its signs. Each line of a text
 * can be a comment of its own, so none of these may be how prose goes on: "global state", "standard library", "region of memory", "fmt::Display".
 */
const DIRECTIVE = new RegExp(
  `^(?:#!|/\\*+\\s*(?:globals?|exported) \\w|(?:#+|//+|/\\*+|--+)[!#@]?\\s*(?:${[
    "-\\*-",
    "coding[:=]",
    "vim?:",
    "type:\\s*ignore",
    "noqa",
    "nosec",
    "pragma:",
    "(?:frozen_string_literal|warn_indent|shareable_constant_value|typed|rubocop|standard|steep):(?!:)",
    "(?:phpcs|phpstan|psalm|phan|codeCoverage\\w*)(?::|-| |$)",
    "@(?:phpstan-ignore|psalm-suppress|codeCoverageIgnore|noinspection)|encoding:",
    "(?:pylint|mypy|pyright|ruff|flake8|isort|yapf|fmt|cython|doctest|pytype|codespell):(?!:)",
    "@?ts-(?:ignore|expect-error|nocheck|check)",
    "eslint(?:-\\w+)*\\b",
    "(?:prettier|biome|oxlint|deno-lint|deno-fmt|dprint)-ignore",
    "biome-",
    "(?:istanbul|c8|v8|nyc) ignore\\b",
    "node:coverage ",
    "(?:jshint|jslint|tslint|jscs)\\b",
    "webpack\\w+:",
    "@vite-ignore",
    "[#@]__(?:PURE|INLINE|NO_SIDE_EFFECTS|NOINLINE)__",
    "(?:[#@]\\s*)?source(?:Mapping)?URL=",
    "@(?:jsx|jsxImportSource|jsxRuntime|flow|noflow|vitest-environment|jest-environment|deno-types)\\b",
    "<(?:reference|amd-module)",
    "#?(?:end)?region\\b(?! (?:and|for|from|in|is|of|that|to|where|which|with)\\b)",
    "go:\\w",
    "nolint\\b",
    "\\+build ",
    "(?:shellcheck|solhint-\\w|slither-\\w|luacheck:|stylua:|selene:|credo:|ignore:|ignore_for_file:|zig fmt:)",
  ].join("|")}))`,
  "i",
);

const LICENCE =
  /\bcopyright\b|\(c\) \d{4}|\blicen[sc]ed under\b|\bspdx-license|\ball rights reserved\b|\bpermission is hereby granted\b|@licen[sc]e\b|\bmit licen[sc]e\b|\bapache licen[sc]e\b/i;

/** Matches a tag in capitals anywhere, else at the start of a line before a colon or a parenthesis. */
const tag = (words: string): RegExp =>
  new RegExp(`\\b(?:${words})\\b|(?:^|\\n)[^\\S\\n]*@?(?:${words.toLowerCase()})(?=\\s*[:(])`);

/** Matches a word in any case at the start of a line before a colon or a parenthesis. */
const label = (words: string): RegExp => new RegExp(`(?:^|\\n)[^\\S\\n]*(?:${words})(?=\\s*[:(])`, "i");

const TAGS = [
  ["todo", [tag("TODO|TBD"), /(?:^|\n)[^\S\n]*(?:@todo\b|to-do\b|todo\b)/i]],
  ["fixme", [tag("FIXME|XXX|BUG")]],
  [
    "hack",
    [
      tag("HACK|KLUDGE|HACKY"),
      /\b(?:ugly|dirty|nasty|horrible|terrible|gross) hack\b|\bthis is (?:a |an )?(?:\w+ )?hack(?:y)?\b/i,
    ],
  ],
  [
    "note",
    [
      tag("NOTE|NB|IMPORTANT|WARNING|CAUTION|ATTENTION"),
      label("note|n\\.b\\.|important|warning|caution|attention|heads up"),
    ],
  ],
] as const satisfies readonly (readonly [CommentKind, readonly RegExp[]])[];

const BUG_REFERENCES: readonly RegExp[] = [
  /(?:^|[\s([:,])(?:[\w.-]+(?:\/[\w.-]+)?)?#\d{2,6}\b(?![\w-])/,
  /\bGH-?\d+\b/,
  /\b(?:issues?|bugs?|tickets?|bpo|prs?|pull requests?|fix(?:es)?|closes?|resolves?)[ :-]{0,2}#?\d+\b/i,
  /\bhttps?:\/\/\S*\/(?:issues?|pull|merge_requests|bugs?|ticket)\/?\d+/i,
  /\bhttps?:\/\/\S*(?:show_bug\.cgi\?id=|bugs\.\S*?\/(?:issue)?|crbug\.com\/)\d+/i,
  /\bCVE-\d{4}-\d+\b/,
];

/** Whether a comment is meant for a tool. `opening` is the comment with its signs. */
export const isDirective = (opening: string): boolean => DIRECTIVE.test(opening);

/** Whether a comment is a licence or a copyright line. */
export const isLicence = (content: string): boolean => LICENCE.test(content);

/** The kind of a comment and whether it explains why. `content` is without comment signs, `opening` with them. */
export function classifyComment(content: string, opening: string): { kind: CommentKind; isRationale: boolean } {
  if (isDirective(opening) || isLicence(content)) return { kind: "general", isRationale: false };
  const reasoned = isRationale(content);
  const kind = markedKind(content) ?? (reasoned ? "rationale" : "general");
  return { kind, isRationale: reasoned };
}

function markedKind(content: string): CommentKind | null {
  for (const [kind, patterns] of TAGS) if (patterns.some((pattern) => pattern.test(content))) return kind;
  return BUG_REFERENCES.some((pattern) => pattern.test(content)) ? "bug_ref" : null;
}

/** Ways to give a reason. Words with another use count only in shapes that give one ("since we …", not "since 2.0"). */
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

/** Whether a comment's content, without comment signs, explains why. Errs on the side of no. */
export function isRationale(content: string): boolean {
  const folded = content.slice(0, LOOK_MAX).toLowerCase().replace(/[’]/g, "'").replace(/\s+/g, " ").trim();
  return PATTERNS.some((pattern) => pattern.test(folded));
}
