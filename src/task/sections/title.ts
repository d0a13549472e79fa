/**
 * Finds the title of a task: its first line that says something.
 *
 * Headings of templates before it are skipped. A task that begins with a code block, a stack trace, a dated line of a log or JSON
 * has no title. What is taken off the title (`[Bug]`, "Title:") is returned too, so that no text is lost.
 */
import { opensFence } from "./markup.ts";
import { isLogLine, isTemplateLine, isTraceHead, LINE_CHARS_MAX } from "./section-patterns.ts";

/** How many lines of template may come before the title. */
const SKIPPED_LINES_MAX = 8;

/** A longer first line is a whole report: only its first sentence is the title. */
const ONE_LINE_REPORT_CHARS = 160;
const SENTENCE_CHARS_MIN = 20;

/** A report without sentences is cut here. */
const TITLE_CHARS_MAX = 400;

/** Chinese and Japanese put no blank after a sentence. A word that ends in a capital may be an abbreviation. */
const SENTENCE_END = /(?<=[\p{Ll}\p{Lo}\p{M})`"'])[.!?:]\s|(?<!\s)[。！？।]|\s#{1,5}\s|\*\*\s/u;
/** Marks of headings, bullets and bold text, but not the star of a glob (`*.test.js`). */
const MARKUP_BEFORE = /^(?:[#*]+\s+|#+(?=[\p{L}\p{N}])|\*{1,3}(?=[\p{L}\p{N}`"'[(]))+/u;
const LABEL =
  /^[^\p{L}\p{N}_[]*(?:title|summary)[^\p{L}\p{N}_:]*:\s*|^[^\p{L}\p{N}_[]*(?:\[[^\]]{1,30}\](?![\w./[\]])|(?:bug|feature(?: request)?)(?=\s*:|\s+[-–—|]\s))\s*[:\-–—|]?\s*/iu;

const JSON_START = /^(?:\{\s*(?:"|$)|\[\s*(?:\{|$))/;
const DATED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** The lines above a mail or a patch, and their continuation. */
const MAIL_HEADER =
  /^(?:From [0-9a-f]{40} |>?(?:From|To|Cc|Bcc|Date|Sent|Subject|Reply-To|Message-ID|In-Reply-To|References|MIME-Version|Return-Path|Received|Content-[\w-]{1,40}|X-[\w-]{1,40}|List-[\w-]{1,40}|Von|An|Gesendet|Betreff):(?:\s|$)|[ \t]+\S)/i;
const SUBJECT = /^(?:Subject|Betreff):\s*(?:(?:re|fwd?|aw|wg|antw|sv)\s?:\s*){0,9}/i;
/** The lines that git shows above the message of a commit. */
const COMMIT_START = /^commit [0-9a-f]{7,40}\b/;
const COMMIT_HEADER = /^(?:commit [0-9a-f]{7,40}\b|(?:Merge|Author|AuthorDate|Commit|CommitDate|Date): )/;
const HEADERS_MIN = 2;
const HEADERS_MAX = 200;

/** `label` is what was taken off the front of the title; `before` and `body` are the lines around it. */
type TitleSplit = {
  readonly title: string;
  readonly label: string;
  readonly before: readonly string[];
  readonly body: readonly string[];
};

/** Splits the lines of a task into what comes before its title, the title, and the body. */
export function splitTitle(lines: readonly string[]): TitleSplit {
  let at = 0;
  while (at < Math.min(lines.length - 1, SKIPPED_LINES_MAX) && isEmpty(lines[at] ?? "")) at++;
  const headers = headersAt(lines, at);
  const subject = lines.slice(at, headers).find((line) => SUBJECT.test(line));
  if (subject !== undefined) {
    const label = SUBJECT.exec(subject)?.[0] ?? "";
    const { title, label: tag } = withoutLabels(subject.slice(label.length));
    const before = lines.slice(0, headers).filter((line) => line !== subject);
    return { title, label: label + tag, before, body: lines.slice(headers) };
  }
  if (headers > at) for (at = headers; at < lines.length - 1 && isEmpty(lines[at] ?? ""); at++);
  const before = lines.slice(0, at);
  const line = (lines[at] ?? "").trim();
  const head = line.slice(0, LINE_CHARS_MAX);
  const isLog = at + 1 < lines.length && DATED.test(head) && isLogLine(head);
  if (opensFence(line) || isTraceHead(head) || isLog || JSON_START.test(head)) {
    return { title: "", label: "", before, body: lines.slice(at) };
  }
  const bare = line.replace(MARKUP_BEFORE, "");
  const { title: sentence, rest } = firstSentence(bare);
  const { title, label } = withoutLabels(sentence);
  return { title, label, before, body: rest === "" ? lines.slice(at + 1) : [rest, ...lines.slice(at + 1)] };
}

/** The line after the headers of a mail with a subject, or of a commit, that begin at a line; that line itself if none begin there. */
function headersAt(lines: readonly string[], at: number): number {
  const isCommit = COMMIT_START.test(lines[at] ?? "");
  const form = isCommit ? COMMIT_HEADER : MAIL_HEADER;
  let end = at;
  while (end < lines.length && end - at < HEADERS_MAX && form.test(lines[end] ?? "")) end++;
  const isWhole = isCommit || lines.slice(at, end).some((line) => SUBJECT.test(line));
  return isWhole && end - at >= HEADERS_MIN ? end : at;
}

const isEmpty = (line: string): boolean => {
  const text = line.trim().slice(0, LINE_CHARS_MAX);
  return text === "" || isTemplateLine(text);
};

function firstSentence(line: string): { readonly title: string; readonly rest: string } {
  if (line.length <= ONE_LINE_REPORT_CHARS) return { title: line, rest: "" };
  const end = SENTENCE_END.exec(line.slice(SENTENCE_CHARS_MIN));
  const sentenceChars = end === null ? line.length : SENTENCE_CHARS_MIN + end.index;
  if (sentenceChars <= TITLE_CHARS_MAX) {
    return { title: line.slice(0, sentenceChars), rest: line.slice(sentenceChars) };
  }
  const blank = line.lastIndexOf(" ", TITLE_CHARS_MAX);
  const cut = blank > 0 ? blank : TITLE_CHARS_MAX;
  return { title: line.slice(0, cut), rest: line.slice(cut) };
}

/** A title that is nothing but labels stays as it is. */
function withoutLabels(line: string): { readonly title: string; readonly label: string } {
  const first = LABEL.exec(line)?.[0] ?? "";
  const second = LABEL.exec(line.slice(first.length))?.[0] ?? "";
  const label = first + second;
  return label.length < line.length ? { title: line.slice(label.length), label } : { title: line, label: "" };
}
