/** Unescapes stack traces in strings of JSON, as in logs of services and events of monitoring, so that each frame has a line of its own. */

const STRING = /"(?:[^"\\]|\\.)*(?:"|$)/g;
const BREAK = String.raw`\\{1,4}n(?:\\{1,4}t| ){0,20}`;
/** A line break in a string, with a frame behind it. */
const FRAME = new RegExp(
  `${BREAK}(?:${[
    String.raw`at \S{1,300}(?: \(|:\d| in )`,
    String.raw`at \S{1,300}\(`,
    String.raw`File \\{1,4}"[^"\\]{1,300}\\{1,4}", line \d`,
    String.raw`[^\s\\]{1,300}\.\w{1,7}:\d`,
  ].join("|")})`,
);
const ESCAPE = /\\(["\\/nrt])/g;
const MEANT: Readonly<Record<string, string>> = { n: "\n", r: "", t: "\t" };
/** How deep strings may be nested: a log of JSON may quote JSON. */
const DEPTH_MAX = 2;

/** The text with each such string on lines of its own. */
export const withTracesWritten = (text: string): string =>
  FRAME.test(text)
    ? text
        .split("\n")
        .map((line) => written(line, DEPTH_MAX))
        .join("\n")
    : text;

function written(line: string, depth: number): string {
  if (depth === 0 || !FRAME.test(line)) return line;
  return line.replace(STRING, (string) => {
    if (!FRAME.test(string)) return string;
    const inner = string.slice(1, string.endsWith('"') ? -1 : undefined);
    const lines = inner.replace(ESCAPE, (_, sign: string) => MEANT[sign] ?? sign);
    return `"\n${written(lines, depth - 1)}\n"`;
  });
}
