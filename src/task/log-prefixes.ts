/** Takes off what continuous integration and collectors of logs write in front of the lines of programs. */
import { isErrorLine, isFrameLine, isTraceHead, LINE_CHARS_MAX } from "./section-patterns.ts";

/** `gh run view --log` puts the names of the job and the step in front. */
const STEP = /^(?:[^\t\n]{1,100}\t){2}(?=[\ufeff ]?\d{4}-\d\d-\d\dT)/;
/** The time in the logs of GitHub, GitLab (which numbers streams), Azure and Kubernetes, or of a step of Docker's build. */
const TIME = /^(?:[\ufeff ]?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6,9}Z (?:\d\d[OE][ +]?)?|#\d{1,3} \d{1,5}\.\d{1,3} )/;
const COMMAND = /^##\[(?:error|warning|notice|debug|command|section|group|endgroup)\]/;

/** A line without the names of job and step, its time and its command. */
export const withoutLogPrefix = (line: string): string => line.replace(STEP, "").replace(TIME, "").replace(COMMAND, "");

/** A text with the errors and frames of such logs as programs write them. Other lines of it keep their time, which tells them apart. */
export function withoutLogPrefixes(text: string): string {
  if (!/Z |##\[|^#\d/m.test(text)) return text;
  return text
    .split("\n")
    .map((line) => {
      const bare = withoutLogPrefix(line);
      if (bare === line) return line;
      const head = bare.slice(0, LINE_CHARS_MAX);
      if (isErrorLine(head) || isFrameLine(head) || isTraceHead(head)) return bare;
      const timed = line.replace(STEP, "");
      return (TIME.exec(timed)?.[0] ?? "") + bare;
    })
    .join("\n");
}
