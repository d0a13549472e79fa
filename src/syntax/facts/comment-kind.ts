/**
 * What kind of comment a text is.
 *
 * Markers win over contents, and the first kind that fits holds: todo, fixme, hack, note, a reference to
 * a bug, a rationale, general. Shebangs, licences and directives (texts for tools, not for people) are
 * general whatever they say. Not here: what makes a rationale (`rationale.ts`).
 */
import type { CommentKind } from "./facts.ts";
import { isRationale } from "./rationale.ts";

/** Comments that linters, compilers, bundlers and editors read. Tried on the comment as it opens, with its signs. */
const DIRECTIVE = new RegExp(
  `^(?:#!|(?:#+|//+|/\\*+|--+)[!#@]?\\s*(?:${[
    "-\\*-",
    "coding[:=]",
    "vim?:",
    "type:\\s*ignore",
    "noqa",
    "nosec",
    "pragma:",
    "(?:frozen_string_literal|warn_indent|shareable_constant_value|typed|rubocop|standard|steep):",
    "(?:phpcs|phpstan|psalm|phan|codeCoverage)\\w*(?::|-| |$)",
    "@(?:phpstan-ignore|psalm-suppress|codeCoverageIgnore|noinspection)|encoding:",
    "(?:pylint|mypy|pyright|ruff|flake8|isort|yapf|fmt|cython|doctest|pytype|codespell):",
    "@?ts-(?:ignore|expect-error|nocheck|check)",
    "eslint(?:-\\w+)*\\b",
    "(?:prettier|biome|oxlint|deno-lint|deno-fmt|dprint)-ignore",
    "biome-",
    "(?:istanbul|c8|v8|node:coverage|nyc) ",
    "(?:jshint|jslint|tslint|standard|jscs)\\b",
    "globals? \\w",
    "exported \\w",
    "webpack\\w+:",
    "@vite-ignore",
    "[#@]__(?:PURE|INLINE|NO_SIDE_EFFECTS|NOINLINE)__",
    "[#@]?\\s*source(?:Mapping)?URL=",
    "@(?:jsx|jsxImportSource|jsxRuntime|flow|noflow|vitest-environment|jest-environment|deno-types)\\b",
    "<(?:reference|amd-module)",
    "#?(?:end)?region\\b",
    "go:\\w",
    "nolint\\b",
    "\\+build ",
    "(?:shellcheck|solhint-\\w|slither-\\w|luacheck:|stylua:|selene:|credo:|ignore:|ignore_for_file:|zig fmt:)",
  ].join("|")}))`,
  "i",
);

const LICENCE =
  /\bcopyright\b|\(c\) \d{4}|\blicen[sc]ed under\b|\bspdx-license|\ball rights reserved\b|\bpermission is hereby granted\b|@licen[sc]e\b|\bmit licen[sc]e\b|\bapache licen[sc]e\b/i;

/** A tag counts in capitals anywhere, else at the start of a line before a colon or a parenthesis. */
const tag = (words: string): RegExp =>
  new RegExp(`\\b(?:${words})\\b|(?:^|\\n)\\s*@?(?:${words.toLowerCase()})(?=\\s*[:(])`);

const capitalised = (words: string): RegExp => new RegExp(`(?:^|\\n)\\s*(?:${words})(?=\\s*[:(])`, "i");

const TAGS = [
  ["todo", [tag("TODO|TBD"), /(?:^|\n)\s*(?:@todo\b|to-do\b|todo\b)/i]],
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
      capitalised("note|n\\.b\\.|important|warning|caution|attention|heads up"),
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
