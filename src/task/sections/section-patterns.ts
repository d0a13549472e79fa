/**
 * Recognizes the lines of an issue: headings, template phrases, environment lists, frames, errors, code.
 *
 * Each rule tests one line in linear time: callers pass at most `LINE_CHARS_MAX` characters. Ranking was
 * measured with this vocabulary.
 */
import { namesCode } from "../names/word-names.ts";

/** Characters of a line that the rules look at: a longer line is judged by its beginning. */
export const LINE_CHARS_MAX = 500;

/** Longest line that can be an entry of an environment list. */
const ENVIRONMENT_CHARS_MAX = 240;

/** A longer line is prose that only starts like an error. */
const ERROR_CHARS_MAX = 400;

const NON_WORD = String.raw`[^\p{L}\p{N}_]*`;

/** A pattern that matches a whole line, ignoring case and surrounding punctuation. ` | ` divides alternatives. */
const wholeLine = (alternatives: string): RegExp =>
  new RegExp(
    `^${NON_WORD}(?:${alternatives
      .trim()
      .split(/\s+\|\s*/)
      .join("|")})${NON_WORD}$`,
    "iu",
  );

/** Headings and stock phrases of issue templates. "Please" with a verb of work is a task. */
const TEMPLATE_LINE = wholeLine(String.raw`
  describe the bug | to reproduce | steps? to reproduce.* | repro(?:duction)? steps? | expected (?:behaviou?r|results?|output) |
  actual (?:behaviou?r|results?|output) | current behaviou?r | additional (?:context|information) |
  screenshots? | environment | system info | versions?(?: information)? | information | reproduction |
  minimal reproduc.* | code (?:sample|for reproduction) | bug (?:report|summary|description) | summary |
  description | what (?:happened|did you (?:expect|do)|version.*|steps.*|browsers?.*) |
  is your feature request.* | describe (?:(?:the|any) (?:solution|alternatives?|feature)|alternatives).* |
  a clear and concise description.* | add any other context.* | if applicable, add screenshots.* |
  (?:i have )?searched.* | validations? | used package manager | severity | platform | possible solution.* |
  context.* | matplotlib version | operating system | python version | logs? | link to .* | which .* version.* |
  how (?:to|do you) reproduce.* | proposal | motivation | details? | issue | problem | feature request | bug |
  prerequisites | checklist | affected.* |
  please (?!(?:fix|refactor|rename|remove|implement|support|improve|change|replace)\b).* | title |
  problem description | issue (?:summary|description) | user story | overview | background | impact |
  requirements? | acceptance criteria | type of issue | hello.* | hi(?: there| all| team)? |
  summary of .{0,20} | root cause | recent changes
`);

/** Headings after which everything is a list of versions, until the next heading. */
const ENVIRONMENT_HEADING = wholeLine(String.raw`
  environment | system info.* | versions?(?: information)? | your environment | software versions | platform |
  output of .*version.* | \S+ version | library versions | package versions | env | browsers? | info |
  system details | installed versions | validations? | checklist | prerequisites
`);

/** `name: value` lines of an environment list, after their bullet. */
const ENVIRONMENT_ENTRY = new RegExp(
  `^(?:${[
    "os|operating system|browser|version|platform|device|architecture|libc|kernel|shell|terminal|distribution",
    String.raw`python(?: version)?|node(?:\.?js)?(?: version)?|java(?: version)?|go(?: version)?|php(?: version)?|ruby`,
    "npm|yarn|pnpm|bun|package manager|jdk|rustc|cargo|typescript|react|tokio|axios|vite",
    "matplotlib(?: version| backend)?|jupyter.*|pandas|numpy|scipy",
    "chrome|firefox|safari|edge|linux|windows|macos|darwin|uname",
    String.raw`\S+ version`,
  ].join("|")})${String.raw`\**\s*[:=]\s*\S.{0,80}$`}`,
  "i",
);

const ENTRY_BULLET = /^\s*[-*>|]*\s*\**/;
const VERSION_ENTRY = /^[\w.\-@/ ]{2,40}[:=@ ]+v?\d+\.\d\S*$/;
const CHECKED_BOX = /^\s*[-*]\s*\[[xX]\]/;
const HEADING =
  /^\s*(?:#{1,6}\s|\*\*[^*]{1,80}\*\*:?\s*$|__[^_]{1,80}__:?\s*$|<\/?(?:details|summary|b|h\d|p|img|br)[^>]*>\s*$)/;
/** A tag that wraps the lines below it, or an image: text before it goes on behind it. */
const WRAPPER = /^\s*<(?:details|\/?(?:summary|p|br|img))\b[^>]*>\s*$/;
const TAG = /<\/?(?:details|summary|h\d|b|strong|p)>/g;
/** What programs write into a text: a field that was left empty, where a comment comes from. */
const BOILERPLATE = /^\s*(?:_no response_\s*$|_originally posted by )/i;
const TRACE_HEAD = /Traceback \(most recent call last\)|^\s*(?:Stack ?trace|Backtrace):?\s*$|stack backtrace:/;

/** Frames of Python, JavaScript, `path.ext:line`, Rust, Go and numbered traces. */
const FRAME_FORMS: readonly RegExp[] = [
  /^\s*File "[^"]+", line \d+/,
  /^\s*File \S+\.py:\d+, in /,
  // The look-ahead with its back reference makes the group atomic: without it this takes cubic time.
  /^\s*at\s+(?=([\w$.<>[\] /]+))\1\s*\(?[^()\s]*[:(]/,
  /^\s*at\s+\S+:\d+:\d+/,
  /^\s*\S+\.(?:py|rb|js|ts|go|rs|c|php|java):\d+(?::\d+)?:?.{0,100}$/,
  /^\s*from \S+\.rb:\d+:in /,
  /^\s*\d+:\s+0x[0-9a-f]+/,
  /^\s*\d+:\s+\w+::\w+/,
  /^\s*goroutine \d+/,
  // Android, crash reporters and thread dumps: `E/App( 42):  at a.b.C.d(C.java:1)`, `a.b.C.d (C.java:1)`, `3  a.b.C.d(C.kt:1)`.
  /^[\d\s:.-]{0,40}(?:\d{1,7}-\d{1,7}\S{0,100} )?[VDIWEF]\/[\w.]{1,60}\s?(?:\(\s{0,6}\d{1,7}\))?:\s+at\s/,
  /^\s*(?:\d{1,4}\s+)?\.{0,3}[\w$]{1,300}(?:\.[\w$<>]{1,200})+ ?\([\w$]{1,200}\.(?:java|kt|scala):\d{1,9}\)/,
  // Elixir: `(plug 1.14.2) lib/plug/conn.ex:663: Plug.Conn.merge_resp_headers/2`.
  /^\s*\(\w{1,100}(?: [\w.+-]{1,60})?\) \S{1,300}\.(?:exs?|erl):\d{1,9}: ./,
  // Apple's crash reports: `6   Cart   0x00000001036c5b38 Cart.add(item:) + 428 (Cart.swift:12)`.
  /^\s*\d{1,4}\s+\S{1,200}\s+0x[\da-f]{6,16}\s/,
  // Vitest: ` ❯ Cart.add src/cart.ts:3:5`.
  /^\s*❯\s+(?:(?:async|new)\s+)?(?:[^\s:]{1,300}\s+)?\S{1,300}:\d{1,9}:\d{1,9}\s*$/,
  // Not a sentence that begins with the number of an issue.
  /^\s*#\d{1,4}\s{1,9}(?!(?:[A-Za-z']+,?\s+){2}[A-Za-z])(?:[<{[/\\]|[A-Za-z]:[\\/]|.*(?:0x[\da-f]{2}|\.\w{1,5}[:(]\d))/,
  /^\s*#\d{1,3}\s+(?!(?:[A-Za-z']+,?\s+){2}[A-Za-z])(?:\S*(?:\w[./\\]\w|::|->)|[\w$~]+(?: <[\w ]+>)? ?\()/,
];

const ERROR_FORMS: readonly RegExp[] = [
  /^\s*(?:E\s+)?(?:Uncaught\s+|Caused by:\s+)?[\w.$]*(?:Error|Exception|Warning|Panic|Failure|Interrupt|panic)\b\S{0,3}[:\s]./,
  /^\s*(?:E\s+)?(?:Uncaught\s+|Caused by:\s+)?(?:error|fatal|panic|thread .* panicked at).*[:']./,
  /^\s*(?:PHP )?(?:Fatal|Parse) (?:error|Exception):\s+./,
  // Compilers, and Ruby, whose first line is a frame too.
  /^\s*\S+\.\w+(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))(?::| :| -) (?:fatal )?error\b./,
  /^\s*\S+\.rb:\d+:in [^()]{1,400} \([A-Z][\w:]*\)$/,
  // Elixir.
  /^\s*\*\* \((?!EXIT\b)[A-Z][\w.]{0,200}\) ./,
  // Kubernetes' own programs, behind the level and the time (`log-prefixes.ts`).
  /^[\w.-]{1,100}\.go:\d{1,9}\] \S/,
  // Go's HTTP server survives a panic, and logs it.
  /^(?:\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d )?http: panic serving \S{1,100}: ./,
];

/** A time, a level or a client's address at the start of a line of a log. */
const LOG_LINE =
  /^\s*[[(<]?(?:\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{1,2}:\d{2}|\d{1,2}:\d{2}:\d{2}\b|(?:DEBUG|INFO|TRACE|NOTICE|WARN(?:ING)?)\b[\]:\s]|[IW]\d{4} \d\d:\d\d:\d\d\.\d|\d{1,3}(?:\.\d{1,3}){3} - )/;
const LOGGED_ERROR =
  /\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC)\b|(?:Error|Exception)\b|[[\s](?:error|fatal|critical|crit|panic)[\]:\s]|\bfail(?:ed|ure)\b/;

const PROMPT = /^\s*(?:>>>|In \[|Out\[)/;
const INDENTED = /^(?: {4}|\t)/;
const CODE_FORMS: readonly RegExp[] = [
  /^\s*(?:\.\.\.\s|\$ )/,
  /^\s*(?:import|from)\s+[\w.]+(?:\s+import|\s*$)/,
  /^\s*(?:const|let|var|def|class|func|fn|public|private)\s+\w.*[{(:=;]/,
  /^\s*[\w.]+\(.*\)[;:]?\s*$/,
  /^\s*[}\])];?,?\s*$/,
  /[;{]$/,
];

const anyOf = (forms: readonly RegExp[], line: string): boolean => forms.some((form) => form.test(line));

/** A heading or stock phrase of an issue template ("Steps to reproduce"). One that names code is the user's own. */
export const isTemplateLine = (line: string): boolean => TEMPLATE_LINE.test(line) && !namesCode(line);

/** Whether a line of prose ends where its sentence does. */
export const endsSentence = (line: string): boolean => /[.:!?;…。！？][*_"'`”’)\]]*\s*$/u.test(line);

/** After a line whose sentence is open: whether a line continues it and is no heading ("… comes from the / environment."). */
export const isRestOfSentence = (line: string): boolean => /^\s*\p{Ll}/u.test(line) && !/:\W*$/.test(line);

/** After a line whose sentence is open: whether a line only speaks of the error that it begins with ("… raises a / TypeError because …"). */
export const isSentenceAboutError = (line: string): boolean =>
  /^\s*(?!Error\b|Warning\b)[\w.$]+(?:\s(?=\p{Ll})|[,;.)])/u.test(line) && !/:(?:\s|$)/.test(line) && isErrorLine(line);

/** A heading after which the text lists versions and machines. */
export const isEnvironmentHeading = (line: string): boolean => ENVIRONMENT_HEADING.test(line);

/** A heading that a form puts above a list of versions, although it names code: "Output of `xr.show_versions()`". */
export const isOutputHeading = (line: string): boolean =>
  /^\W{0,10}output of\b.{1,100}\(\)\W{0,10}(?:<\/\w{1,10}>\W{0,10})?$/i.test(line) && isEnvironmentHeading(line);

/** A heading of Markdown or HTML, or a line that is bold from end to end. */
export const isHeading = (line: string): boolean => HEADING.test(line);

/** A line that belongs to the section that is open, whatever it says. */
export const isWrapper = (line: string): boolean => WRAPPER.test(line);

/** A line without tags around or in it; the line itself if it is nothing else. */
export function withoutTags(line: string): string {
  const text = line.replace(TAG, " ").trim();
  return text === "" ? line : text;
}

/** A line that a program wrote and that says nothing about the task. */
export const isBoilerplate = (line: string): boolean => BOILERPLATE.test(line);

/** An entry of a checklist that is done. One that is not may be the task. */
export const isCheckedBox = (line: string): boolean => CHECKED_BOX.test(line);

/** A line below an entry of a list that belongs to it, and begins no other. */
export const isInItem = (line: string): boolean => /^(?: {2,12}|\t)(?![-*+>#`~]|\d{1,3}[.)]\s)\S/.test(line);

/** The line above the frames of a stack trace. */
export const isTraceHead = (line: string): boolean => TRACE_HEAD.test(line);

/** A frame of a stack trace. */
export const isFrameLine = (line: string): boolean => anyOf(FRAME_FORMS, line);

/** A line that states an error: `ValueError: …`, `error: …`, `panic: …`. */
export const isErrorLine = (line: string): boolean => line.length < ERROR_CHARS_MAX && anyOf(ERROR_FORMS, line);

/** What stands before the message of an error: its class, or a bare "error", not a module that is called after one (`error_functions: …`). */
const ERROR_LABEL = /^\s*(?:Uncaught\s+)?(?!(?:error|fatal|panic)[^\s:[A-Z]+:)\S+:\s/;

/** A title that states an error ("TypeError: x is not a function"), and does not speak of one ("Exception handling: …"). */
export const isErrorTitle = (title: string): boolean => isErrorLine(title) && ERROR_LABEL.test(title);

/** A line of a log that reports no error. */
export const isLogLine = (line: string): boolean => LOG_LINE.test(line) && !LOGGED_ERROR.test(line);

/** An entry of an environment list: `OS: Linux`, `numpy : 1.21.0`. */
export function isEnvironmentEntry(line: string): boolean {
  if (line.length > ENVIRONMENT_CHARS_MAX) return false;
  const entry = line.replace(ENTRY_BULLET, "");
  return ENVIRONMENT_ENTRY.test(entry) || isVersionEntry(entry);
}

/** Collapses blanks first, because runs of them would match the parts of the pattern in many ways. */
const isVersionEntry = (line: string): boolean => VERSION_ENTRY.test(line.trim().replace(/\s+/g, " "));

/** A line of an interactive session, or an indented one that reads like code. */
export const isCodeLine = (line: string): boolean =>
  PROMPT.test(line) || (INDENTED.test(line) && anyOf(CODE_FORMS, line.trimEnd()));
