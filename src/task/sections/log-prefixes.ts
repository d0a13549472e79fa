/** Removes what continuous integration and log collectors write before the lines that programs print. */
import { isErrorLine, isFrameLine, isTraceHead, LINE_CHARS_MAX } from "./section-patterns.ts";

/** `gh run view --log` puts the names of the job and the step in front. */
const STEP = /^(?:[^\t\n]{1,100}\t){2}(?=[\ufeff ]?\d{4}-\d\d-\d\dT)/;
/** What syslog puts in front: time, machine and program. */
export const SYSLOG = String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,80} [\w./-]{1,80}(?:\[\d{1,10}\])?: `;
/** The time in the logs of GitHub, GitLab (which numbers streams), Azure and Kubernetes, of a step of Docker's build, or of its services. */
const TIME = new RegExp(
  `^(?:${[
    String.raw`[\ufeff ]?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6,9}Z (?:\d\d[OE][ +]?)?`,
    String.raw`#\d{1,3} \d{1,5}\.\d{1,3} `,
    String.raw`[A-Za-z][\w.-]{0,60}[_-]\d{1,3}\s{1,40}\| `,
    SYSLOG,
  ].join("|")})`,
);
/** Kubernetes' own programs: level, day, time and thread. */
const KLOG_ERROR = /^[EF]\d{4} \d\d:\d\d:\d\d\.\d{6}\s{1,9}\d{1,8} /;
const COMMAND = /^##\[(?:error|warning|notice|debug|command|section|group|endgroup)\]/;

/** A workflow command of GitHub that annotates a line: `::error file=src/a.ts,line=3,col=4::No docs`. */
const ANNOTATION = /^::(error|warning|notice) ((?=[^\n]{0,400}\bfile=)[^\n]{1,400}?)::/;

/** An annotation as compilers write it. */
const withoutAnnotation = (line: string): string =>
  line.replace(ANNOTATION, (found, level: string, written: string) => {
    const fields = new Map(written.split(",").map((field) => [field.split("=", 1)[0], field.replace(/^[^=]*=/, "")]));
    const [file, at, title] = ["file", "line", "title"].map((name) => fields.get(name));
    if (file === undefined || at === undefined) return found;
    return `${file}:${at}: ${level}: ${title === undefined ? "" : `${title}: `}`;
  });

/** A line without the names of job and step, its time and its command. */
export const withoutLogPrefix = (line: string): string => line.replace(STEP, "").replace(TIME, "").replace(COMMAND, "");

/** A text with the errors and frames of such logs as programs write them. Other lines of it keep their time, which tells them apart. */
export function withoutLogPrefixes(text: string): string {
  if (!/Z |##\[|^#\d|: |\| |^::/m.test(text)) return text;
  return text
    .split("\n")
    .map((line) => {
      if (KLOG_ERROR.test(line)) return line.replace(KLOG_ERROR, "");
      const bare = withoutAnnotation(withoutLogPrefix(line));
      if (bare === line) return line;
      const head = bare.slice(0, LINE_CHARS_MAX);
      if (isErrorLine(head) || isFrameLine(head) || isTraceHead(head)) return bare;
      const timed = line.replace(STEP, "");
      return (TIME.exec(timed)?.[0] ?? "") + bare;
    })
    .join("\n");
}
