/** An evaluation's report as text: tables with names on the left and figures on the right. */
import type { ReportSection } from "../../evaluation/report.ts";
import { table } from "../../present/layout.ts";
import { display } from "../../text/display.ts";

/** Sections with an empty line between them. Ends in a newline; "" when there are none. */
export function sectionsText(sections: readonly ReportSection[]): string {
  return sections.map(sectionText).join("\n");
}

const FIGURE = /^([+-]?\d+(\.\d+)?|-|)$/;

function sectionText({ title, heading, rows, notes = [] }: ReportSection): string {
  const widths = heading.map((name, column) =>
    rows.every((row) => FIGURE.test(row[column] ?? ""))
      ? Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0))
      : 0,
  );
  const aligned = (row: readonly string[]) => row.map((cell, column) => cell.padStart(widths[column] ?? 0));
  const text = table(aligned(heading), rows.map(aligned));
  return `${display(title)}\n${text}${notes.map((note) => `${display(note)}\n`).join("")}`;
}
