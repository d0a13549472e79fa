/** The parts that every screen has: the header, the status and message lines, and the line of keys. */

import { taskTitle } from "../../present/layout.ts";
import { type CommandName, type Context, DROPPED_FIRST, footerLabel, footerOf } from "../keys/bindings.ts";
import { shownKey } from "../keys/key-names.ts";
import { isOffered, labelIn } from "../state/key-context.ts";
import { messageLines } from "../state/layout/message-lines.ts";
import type { Message, State } from "../state/state.ts";
import { columnsOf, fitted, justified, type Line, lineColumns, span } from "../styling/styled-text.ts";
import { type Role, type Signs, signsFor } from "../styling/theme.ts";

/** `what` names the screen; `facts` are right-aligned, the most important last. */
export function header({ size, look }: State, what: string, facts: readonly string[]): Line {
  const signs = signsFor(look.ascii);
  const right = facts.filter((fact) => fact !== "").join(signs.dot);
  return justified(
    [span("key", " cra"), span("dim", signs.dot), span("strong", taskTitle(what))],
    right === "" ? [span("plain", " ")] : [span("plain", "  "), span("dim", right), span("plain", " ")],
    size.columns,
    signs.ellipsis,
  );
}

/** What the header says of the model: as much as half of the line has room for, the name last. */
export function modelWords({ project, size, look }: State): readonly string[] {
  const words = project.modelWords ?? (project.model === null ? [] : [project.model]);
  const { dot } = signsFor(look.ascii);
  const from = words.findIndex((_, at) => columnsOf(words.slice(at).join(dot)) * 2 <= size.columns);
  return words.slice(from < 0 ? -1 : from);
}

/** The keys of the screen. If there is no room, first drops those shown elsewhere, then the last ones except the help. */
export function footer(state: State, context: Context): Line {
  const { size, look, index } = state;
  const signs = signsFor(look.ascii);
  const shownOf = (name: CommandName, label: string) => {
    const key = shownKey(name, context, look.ascii);
    const cells: Line = [span("key", key ?? ""), span("plain", " "), span("dim", label)];
    return key === null ? [] : [{ name, cells }];
  };
  const offered = footerOf(context)
    .filter((name) => isOffered(state, name))
    .flatMap((name) => shownOf(name, labelIn(state, name, footerLabel(name, context))));
  const stops = context === "entry" && index.status === "indexing" ? shownOf("app.back", "stop indexing") : [];
  const shown = [...stops, ...offered];
  const width = (): number => shown.reduce((sum, { cells }) => sum + lineColumns(cells) + 2, 0);
  for (const name of DROPPED_FIRST) {
    const at = shown.findIndex((one) => one.name === name);
    if (at >= 0 && width() > size.columns) shown.splice(at, 1);
  }
  while (shown.length > 1 && width() > size.columns) shown.splice(shown.at(-1)?.name === "help.open" ? -2 : -1, 1);
  return fitted(
    shown.flatMap(({ cells }, at) => [span("plain", at === 0 ? " " : "  "), ...cells]),
    size.columns,
    signs.ellipsis,
  );
}

/** The message, in as many lines as it needs, else the status of the screen; an unfinished chord at the right. */
export function statusLines(state: State, otherwise: Line): readonly Line[] {
  const { size, look, message } = state;
  const { chord } = state.input;
  const signs = signsFor(look.ascii);
  const right: Line = chord === null ? [] : [span("key", `${chord} `)];
  if (message === null) return [justified(otherwise, right, size.columns, signs.ellipsis)];
  const [sign, role] = messageSign(message.kind, signs);
  return messageLines(state).map((text, row) =>
    justified(
      [span(role, row === 0 ? ` ${sign} ` : "   "), span(role === "bad" ? "bad" : "plain", text)],
      row === 0 ? right : [],
      size.columns,
      signs.ellipsis,
    ),
  );
}

function messageSign(kind: Message["kind"], signs: Signs): readonly [sign: string, role: Role] {
  switch (kind) {
    case "error":
      return [signs.failed, "bad"];
    case "done":
      return [signs.done, "good"];
    case "info":
    case "doing":
      return [signs.note, "accent"];
  }
}

/** The sign for the state of a job, and its role. The clock turns the spinner. */
export function jobSign(
  status: "waiting" | "running" | "done" | "stopped",
  now: number,
  signs: Signs,
): readonly [sign: string, role: Role] {
  switch (status) {
    case "waiting":
      return [signs.waiting, "dim"];
    case "running":
      return [signs.spinner[Math.floor(now / SPINNER_MS) % signs.spinner.length] ?? "", "accent"];
    case "done":
      return [signs.done, "good"];
    case "stopped":
      return [signs.failed, "warn"];
  }
}

const SPINNER_MS = 100;
