/**
 * What a value says when it is taken from one experience: its lesson or, where it has none, what it has on the axis.
 *
 * Pure. Not here: which experience (`values.ts`), words of a model (`recall/values/label-clusters.ts`).
 */
import type { Experience } from "./experience.ts";
import type { Axis } from "./vocabulary.ts";

/** Longer texts are cut. */
const TEXT_CHARS_MAX = 1_000;

/** The text, not empty, on one paragraph. */
export function valueText(experience: Experience, axis: Axis): string {
  const text = (lessonText(experience) ?? onAxis(experience, axis)).replaceAll(/\s+/g, " ").trim();
  return text.length <= TEXT_CHARS_MAX
    ? text
    : `${text
        .slice(0, TEXT_CHARS_MAX - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** What was learned, in one text; null for nothing. */
export function lessonText({ lesson }: Experience): string | null {
  if (lesson === null) return null;
  return lesson.takeaway === null ? lesson.what_worked : sentences(lesson.what_worked, lesson.takeaway);
}

const sentences = (first: string, second: string): string => `${first}${/[.!?…]$/.test(first) ? "" : "."} ${second}`;

function onAxis(experience: Experience, axis: Axis): string {
  const { goal, strategy, outcome, surprise, root_cause } = experience;
  const ended = outcome === null ? "" : `${outcome.status}, ${outcome.result}`;
  switch (axis) {
    case "full":
      return ended === "" ? goal : `${goal}: ${ended}`;
    case "strategy":
      return ended === "" ? strategy : `${strategy}: ${ended}`;
    case "surprise":
      return surprise ?? goal;
    case "root_cause":
      return root_cause === null ? goal : `${root_cause.category}: ${root_cause.description}`;
  }
}
