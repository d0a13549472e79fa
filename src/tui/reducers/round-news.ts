/** What is said when a round has finished: what the user cannot see in the package itself. */

import { firstKey } from "../keys/bindings.ts";
import type { Round } from "../state/review-state.ts";
import type { RunState } from "../state/state.ts";

const LEFT = `The marks that you left are back. Press ${firstKey("package.refine", "review")} to apply them, ${firstKey("mark.undo", "review")} to take them back.`;

/** `before` is the round that was shown until now; `hasLeftMarks`: decisions about an earlier round are restored. Empty if there is nothing to say. */
export function newsText(run: RunState, round: Round, before: Round | null, hasLeftMarks: boolean): string {
  const about = run.kind === "refine" ? roundsBetween(before?.latest ?? 0, round.number) : notAppliedText(round);
  return [...(hasLeftMarks ? [LEFT] : []), ...(about === null ? [] : [about]), ...noticeTexts(run, round, before)].join(
    " ",
  );
}

/** That earlier rounds asked for more than a plain run applies. */
function notAppliedText({ notApplied }: Round): string | null {
  const [keep, drop] = [firstKey("constraints.keep", "review"), firstKey("constraints.drop", "review")];
  return notApplied === null
    ? null
    : `Earlier rounds asked for more (${notApplied}). Press ${keep} to apply it, ${drop} to forget it.`;
}

/** Notices that the review states in its own words, and a hint that is shown only during a run. */
const SAID_OTHERWISE: readonly string[] = ["provisional", "constraints-not-applied", "enrichment-missing"];

/** The sentences of notices that the round before did not have, each once; that the package is only a map comes first. */
function noticeTexts(
  { notices }: RunState,
  { package: { provenance } }: Round,
  before: Round | null,
): readonly string[] {
  const known = before?.package.warnings ?? [];
  const others = notices
    .filter(({ code, message }) => !SAID_OTHERWISE.includes(code) && !known.includes(message))
    .map(({ message }) => message);
  const texts = new Set([...(provenance.map === undefined ? [] : [provenance.map]), ...others]);
  return [...texts].map((text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`);
}

/** Says which rounds another process made in between; null when there are none. */
function roundsBetween(known: number, current: number): string | null {
  if (current <= known + 1) return null;
  const which = current === known + 2 ? `round ${known + 1}` : `rounds ${known + 1} to ${current - 1}`;
  return `Another process made ${which}; this is round ${current}.`;
}
