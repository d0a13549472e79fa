/** An escalation's decision and evidence as text, for `cra escalate` and the escalate tool. */
import type { EscalationDecision, RetrievalBundle } from "../escalation/escalation-schema.ts";
import { counted } from "../text/counted.ts";
import { display, displayLines } from "../text/display.ts";
import { bytesText } from "./amounts.ts";
import { pairs } from "./layout.ts";

/** The decision, then the evidence if there is any. */
export const escalationText = (found: EscalationDecision | RetrievalBundle): string =>
  `${head(found)}${"stats" in found ? body(found) : ""}`;

/** The decision with its triggers, and the size of the evidence. */
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
  const line = (name: string, count: number, size: number): [string, string] => [
    name,
    `${counted(count, "file")}, ${bytesText(size)}`,
  ];
  return [
    line("run artifacts", stats.run_artifacts_count, stats.run_artifacts_size),
    line("documents", stats.sot_files_count, stats.sot_files_size),
    ["memory", `${counted(stats.memory_entries_count, "entry", "entries")}, ${bytesText(stats.memory_entries_size)}`],
  ];
}

/** Each piece of evidence under a title. */
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

/** Indented, so that no line of a file looks like one of cra. */
const indented = (content: string): string =>
  displayLines(content.trimEnd())
    .split("\n")
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n");
