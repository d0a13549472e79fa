/**
 * The texts made of an experience: what is searched, embedded and clustered on each axis, and the lesson that a value states.
 *
 * They depend on what the experience says, not on its id, times or confidence.
 */
import type { Experience } from "./experience.ts";
import type { Axis } from "./vocabulary.ts";

/** The text on one axis, one field per line; null if the experience has nothing there, such as no outcome yet. */
export function axisText(experience: Experience, axis: Axis): string | null {
  switch (axis) {
    case "full":
      return lines(fullStory(experience));
    case "strategy":
      return experience.outcome === null ? null : lines(howItWent(experience));
    case "surprise":
      return experience.surprise;
    case "root_cause":
      return experience.root_cause && lines([experience.root_cause.category, experience.root_cause.description]);
  }
}

type Parts = readonly (string | null | undefined)[];

const fullStory = (experience: Experience): Parts => [
  experience.domain,
  experience.strategy,
  experience.goal,
  ...experience.iterations.flatMap(({ hypothesis, action, prediction }) => [hypothesis, action, prediction]),
  ...outcomeOf(experience),
  experience.surprise,
  experience.root_cause?.category,
  experience.root_cause?.description,
  ...lessonOf(experience),
];

const howItWent = (experience: Experience): Parts => [
  experience.strategy,
  ...experience.iterations.map(({ action }) => action),
  ...outcomeOf(experience),
  ...lessonOf(experience),
];

const outcomeOf = ({ outcome }: Experience): Parts => [outcome?.status, outcome?.result];
const lessonOf = ({ lesson }: Experience): Parts => [lesson?.what_worked, lesson?.takeaway];

const lines = (parts: Parts): string => parts.filter((text) => typeof text === "string").join("\n");

const TEXT_CHARS_MAX = 1_000;

/** The text of a value taken from one experience: its lesson, or else what it says on the axis. One paragraph, not empty. */
export function valueText(experience: Experience, axis: Axis): string {
  const text = (lessonText(experience) ?? onAxis(experience, axis)).replaceAll(/\s+/g, " ").trim();
  return text.length <= TEXT_CHARS_MAX
    ? text
    : `${text
        .slice(0, TEXT_CHARS_MAX - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** What was learned, in one text; null without a lesson. */
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
