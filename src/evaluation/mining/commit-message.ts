/**
 * Turns a commit message into a task: subject and body, without trailers and the numbers of tickets and pull requests.
 */

/** A subject with fewer words is not a task. */
const WORDS_MIN = 3;
/** Characters read of a message; the rest may be a pasted log. */
const CHARS_MAX = 20_000;

/** A git trailer that people and tools add. */
const TRAILER =
  /^\s*(signed-off-by|co-authored-by|co-developed-by|reviewed-by|acked-by|tested-by|reported-by|suggested-by|helped-by|approved-by|cc|change-id|commit-id|git-svn-id|differential revision|reviewers|subscribers|pull request(-resolved)?|pr|pr-url|refs?|relate[sd]( to)?|see( also)?|bug|issue|fixe?[sd]?|close[sd]?|resolve[sd]?|link|changelog|release[- ]notes?)\s*:\s*\S.*$/i;
const CHERRY_PICK = /^\s*\(?cherry[- ]picked from commit\b.*$/i;
/** A rule between the parts of a squashed message. */
const RULE = /^\s*[-=*_]{3,}\s*$/;
/** Longer lines are no references. */
const LINE_CHARS_MAX = 1_000;
/** A line that is only a reference: `Fixes #1, #2`, `closes https://host/issues/1`, `Refs ABC-1.` */
const REFERENCE = String.raw`(?:[\w.-]+\/[\w.-]+)?#\d+|[A-Z][A-Z0-9]+-\d+|https?:\/\/[^\s,]+`;
const VERB = String.raw`(?:(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|ref(?:s|erences)?|see|issue|related? to|part of|addresses)(?:\s+(?:bug|issue|ticket))?[\s:]+)`;
const REFERENCES = String.raw`${VERB}?(?:${REFERENCE})(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s+)${VERB}?(?:${REFERENCE}))*`;
const ONLY_REFERENCES = new RegExp(String.raw`^\s*[-*]?\s*${REFERENCES}\s*\.?\s*$`, "i");
/** The same within a line: in brackets, or with its verb. */
const IN_BRACKETS = new RegExp(String.raw`\s*[([]\s*${REFERENCES}\s*[)\]]`, "gi");
const WITH_VERB = new RegExp(String.raw`(?:^|(?<=[\s,;.]))${VERB}#\d+(?:\s*,\s*#\d+)*\s*[:,-]?\s*`, "gi");
/** A ticket at the head of a subject: `#123: `, `Fixed #123 -- `, `ABC-12 `. */
const TICKET_AHEAD = /^\s*(?:\[?(?:#\d+|GH-\d+|[A-Z][A-Z0-9]+-\d+)\]?)\s*(?::|--?|—)?\s+(?=\S)/;
const VERB_TICKET_AHEAD = /^\s*(?:fix(?:e[sd])?|ref(?:s)?|close[sd]?)\s+#\d+(?:\s*,\s*#\d+)*\s*(?::|--?|—)\s*/i;

const NO_TASK = [TRAILER, CHERRY_PICK, RULE, ONLY_REFERENCES];

/** The task in a message; null if its subject says too little. */
export function taskOfMessage(message: string): string | null {
  const [subject = "", ...body] = message.slice(0, CHARS_MAX).replaceAll("\r\n", "\n").trim().split("\n");
  const title = withoutReferences(
    subject.slice(0, LINE_CHARS_MAX).replace(VERB_TICKET_AHEAD, "").replace(TICKET_AHEAD, ""),
  );
  if (wordCount(title) < WORDS_MIN) return null;
  const lines = body
    .filter((line) => line.length > LINE_CHARS_MAX || !NO_TASK.some((pattern) => pattern.test(line)))
    .map(withoutReferences);
  const text = lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return text === "" ? title : `${title}\n\n${text}`;
}

const withoutReferences = (line: string): string =>
  line.length > LINE_CHARS_MAX ? line : line.replace(IN_BRACKETS, "").replace(WITH_VERB, "").trimEnd();

const wordCount = (text: string): number => (text.match(/\p{L}[\p{L}\p{N}_'-]*/gu) ?? []).length;

/** Conventional subjects of work that states no problem in the code. */
const CONVENTIONAL =
  /^(chore|docs?|style|build|ci|tests?|release|revert|deps|lint|format|bump|wip|merge)(\([^)]*\))?!?:|^\w+\((deps|deps-dev|docs?|ci|tests?|release|lint)\)!?:/i;
/** The type and scope of a conventional subject. */
const CONVENTIONAL_HEAD = /^\w+(\([^)]*\))?!?:\s*/;
/** Other subjects of such work. */
const HOUSEKEEPING = [
  /^merge (branch|pull|commit|remote|tag|upstream|main|master)\b/i,
  /^(revert|reapply|bump|release (v?\d|version|candidate|notes)|prepare (for )?(the )?(next )?(release|version)|back ?out|fixup!|squash!|amend!|wip\b)/i,
  /^(v|version )?\d+(\.\d+)+/i,
  /^(update|upgrade|downgrade|pin|unpin) (the )?(\S+ )?(deps|dependenc(y|ies)\b.*|version|lock ?files?|change ?log|copyright|year|submodules?|snapshots?|translations?|contributors|authors)( (to|from|in|of|for)\b.*)?$/i,
  /^(update|upgrade|bump|pin) \S+ (from \S+ )?to v?\d/i,
  /^(set|change|increase|update|bump) (the )?(package |release )?version( (to|in|of|for)\b.*| v?\d.*)?$/i,
  /\b(run|apply|appease|satisfy|please|with|via|by|use) (the )?(latest )?(prettier|black|isort|gofmt|rustfmt|cargo fmt|clang-format|eslint|ruff|flake8|pylint|clippy|rubocop|biome)\b/i,
  /^(re-?format|format (code|all|everything|files?|sources?)|prettier|gofmt|rustfmt|cargo fmt|lint)\b/i,
  /\b(lint(er|ing)?|eslint|flake8|pylint|mypy|clippy) (errors?|warnings?|fix(es)?|issues?|suggestions?|comments?|rules?)\b/i,
  /^(fix|remove|trim|clean ?up|strip) (\S+ )?(lint|(trailing )?whitespace|indent(ation)?)( (in|of|from)\b.*)?$/i,
  /^(fix(ed|es)?|correct(ed|s)?) (a |some |the |minor |small |few |more )*(typos?|spelling|grammar|broken links?)\b/i,
  /^(fix(ed|es)?|correct(ed|s)?) (a |some |the |minor |small |few |more )*(comments?|doc ?strings?|docs?|documentation|(lint|build|ci|tests?)( (errors?|warnings?|failures?))?)( (in|of|for|on)\b.*)?$/i,
  /^(add|update|improve|clarify|tweak|edit) (the |some |more |missing )*(tests?|docs?|documentation|doc ?strings?|comments?|readme|change ?log|license|examples?)( (in|of|for|on|to)\b.*)?$/i,
  /^(address|apply|incorporate) (\S+ )?(review|comments|feedback|suggestions)/i,
];

/** Why a commit is housekeeping, by its subject or author; null if it is not. */
export function housekeeping({
  message,
  author,
}: {
  readonly message: string;
  readonly author: string;
}): string | null {
  const [subject = ""] = message.trim().split("\n", 1);
  if (/\[bot\]|\b(dependabot|renovate|greenkeeper|pre-commit-ci|github-actions)\b/i.test(author))
    return "made by a bot";
  const words = subject.replace(CONVENTIONAL_HEAD, "");
  return CONVENTIONAL.test(subject) || HOUSEKEEPING.some((pattern) => pattern.test(words)) ? "housekeeping" : null;
}
