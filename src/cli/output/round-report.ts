/** What a further round changed, and the one command that gives the same package, as lines for stderr. */

import type { AnswerText } from "../../app/retrieval/answer-text.ts";
import type { RetrieveResult } from "../../app/retrieval/retrieve.ts";
import { CHANGE_KINDS, type Change, type Changes } from "../../retrieval/model/changes.ts";
import { shellCommand } from "../../retrieval/refinement/reproduction.ts";
import { counted } from "../../text/counted.ts";

/** Files on one line, and symbols of each; the package's JSON names all. */
const FILES_NAMED = 8;
const SYMBOLS_NAMED = 4;

/** A line for each kind of change. */
export function changeLines({ package: found, round }: RetrieveResult): readonly string[] {
  const { changes } = found.provenance;
  if (changes === undefined || changes === null) return [`cra: round ${round}: no earlier round to compare with`];
  const lines = CHANGE_KINDS.flatMap((kind) => {
    const list = changes[kind] ?? [];
    return list.length === 0 ? [] : [`  ${kind}: ${filesText(list)}`];
  });
  const same = changes.edited === undefined ? "the same parts as in" : "the same as";
  return [`cra: round ${round}, ${lines.length === 0 ? same : "compared with"} round ${changes.since_round}`, ...lines];
}

function filesText(changes: Changes["added"]): string {
  const files = [...Map.groupBy(changes, ({ path }) => path)];
  const rest = files.length - FILES_NAMED;
  const shown = files.slice(0, FILES_NAMED).map(([path, own]) => `${path}${symbolsText(own)}`);
  return `${shown.join(", ")}${rest > 0 ? `, and ${counted(rest, "more file")}` : ""}`;
}

function symbolsText(changes: readonly Change[]): string {
  const parts = changes.flatMap(({ item }) => (item === null ? [] : [item]));
  if (parts.length === 0) return "";
  const rest = parts.length - SYMBOLS_NAMED;
  return ` (${parts.slice(0, SYMBOLS_NAMED).join(", ")}${rest > 0 ? `, ${rest} more` : ""})`;
}

/** That only what is new was printed, if so. */
export const newsLine = (printed: AnswerText | null): readonly string[] =>
  printed === null || printed.since === null
    ? []
    : [`cra: printed what is new since round ${printed.since}: ${printed.tokens} tokens`];

/** A longer command is not printed. */
const LINE_CHARS_MAX = 8_000;

/** The one command, ready to paste into a shell. `location`: the words that name the repository and data folder. */
export function sameInOneLine({ reproduction }: RetrieveResult, location: readonly string[]): string {
  const line = shellCommand(location, reproduction);
  if (line.length > LINE_CHARS_MAX) return "cra: the command for the same package is too long for one line";
  const { unsupported } = reproduction;
  const except = unsupported.length === 0 ? "" : ` (except ${unsupported.join(", ")})`;
  return `cra: the same in one command${except}: ${line}`;
}
