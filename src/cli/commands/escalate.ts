/**
 * `cra escalate`: whether a failure needs more than it handed on, and what the run, the repository and memory say of it.
 *
 * Exit code 0 whether it fires or not: both are answers. With `--json` it is the retrieval bundle, or the decision alone.
 */
import type { EscalationDecision, RetrievalBundle } from "../../escalation/escalation-schema.ts";
import { Failed } from "../../failure.ts";
import { bytesText, counted, pairs } from "../../present/layout.ts";
import { display, displayLines } from "../../text/display.ts";
import { readHandoff } from "../input/handoff.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Runner } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { withApp } from "../with-app.ts";

export const run: Runner = async (context) => {
  const { values, output, signal } = context;
  const [runDir, phase] = [values.text("--run-dir"), values.text("--phase")];
  if (runDir === undefined || phase === undefined) throw missing(values);
  const handoff = await readHandoff(context);
  if (handoff === null) throw missing(values);
  const request = {
    handoff,
    runDir,
    phase,
    attempt: values.whole("--attempt") ?? 1,
    force: values.switch("--force"),
    check: values.switch("--check"),
    adaptiveCaps: values.switch("--adaptive-caps"),
  };
  return await withApp(context, appRequest(context), async (app) => {
    const found = await app.escalate(request, signal);
    if (output.look.json) await output.json(found);
    else await output.data(escalationText(found));
    if (found.warnings.length > 0) await output.say(found.warnings.map((line) => `cra: note: ${line}`).join("\n"));
    return 0;
  });
};

/** What must be typed, and what to say of it. */
const NEEDED: readonly (readonly [flags: readonly string[], what: string])[] = [
  [["--handoff", "--trace"], "what the attempt hands on (or its log with --trace)"],
  [["--run-dir"], "the folder that the run left its logs in"],
  [["--phase"], "the phase that failed"],
];

/** All that was not typed, at once. */
function missing(values: Values): Failed {
  const lacking = NEEDED.filter(([flags]) => flags.every((flag) => values.text(flag) === undefined));
  const names = lacking.map(([[flag]]) => flag).join(" and ");
  const next = `name ${lacking.map(([, what]) => what).join(" and ")}; see: cra escalate --help`;
  return new Failed({ code: "usage", message: `${names} ${lacking.length === 1 ? "is" : "are"} missing`, next });
}

/** The decision, and what was retrieved. */
export const escalationText = (found: EscalationDecision | RetrievalBundle): string =>
  `${head(found)}${"stats" in found ? body(found) : ""}`;

/** The decision and what it rests on. */
function head(found: EscalationDecision | RetrievalBundle): string {
  const { phase_id, attempt, priority, triggers } = found;
  const verdict = !found.escalate ? "no" : "forced" in found && found.forced ? "forced, no trigger fires" : "yes";
  return pairs([
    ["escalate", verdict],
    ["priority", priority],
    ["phase", `${phase_id}, attempt ${attempt}`],
    ...triggers.map(({ name, fired, reason }): [string, string] => [name, `${fired ? "fires" : "-"}: ${reason}`]),
    ...("stats" in found ? retrieved(found) : []),
  ]);
}

function retrieved({ stats }: RetrievalBundle): [string, string][] {
  const line = (what: string, many: string, count: number, size: number): [string, string] => [
    many,
    `${counted(count, what)}, ${bytesText(size)}`,
  ];
  return [
    line("file", "run artifacts", stats.run_artifacts_count, stats.run_artifacts_size),
    line("file", "documents", stats.sot_files_count, stats.sot_files_size),
    ["memory", `${counted(stats.memory_entries_count, "entry", "entries")}, ${bytesText(stats.memory_entries_size)}`],
  ];
}

/** What was retrieved, each piece under a line that says what it is. */
function body({ run_artifacts, sot_files, memory_entries }: RetrievalBundle): string {
  const pieces = [
    ...run_artifacts.map(({ path, content, size, modified, within_24h }) => ({
      title: `run artifact ${path}, ${bytesText(size)}, ${modified}${within_24h ? ", within 24 hours" : ""}`,
      content,
    })),
    ...sot_files.map(({ path, content, size, relevance_score }) => ({
      title: `document ${path}, ${bytesText(size)}, ${counted(relevance_score, "keyword hit")}`,
      content,
    })),
    ...memory_entries.map(({ phase_id, error_pattern, resolution, similarity_score }) => ({
      title: `memory ${phase_id}, similarity ${similarity_score.toFixed(2)}`,
      content: `${error_pattern}\n${resolution}`,
    })),
  ];
  return pieces.map(({ title, content }) => `\n${display(title)}\n${indented(content)}\n`).join("");
}

/** Set off, so that no line of a file can pass for one of this program's. */
const indented = (content: string): string =>
  displayLines(content.trimEnd())
    .split("\n")
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n");
