/**
 * What an experience says on each axis: the text that is searched, embedded and clustered there.
 *
 * Invariants: a pure function of the experience; the same words whatever its id, times and confidence are; null where
 * it has nothing to say, such as how a strategy went while the experience goes on.
 */
import type { Experience } from "./experience.ts";
import type { Axis } from "./vocabulary.ts";

/** The text on one axis, one thing a line; null for nothing. */
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

type Said = readonly (string | null | undefined)[];

const fullStory = (experience: Experience): Said => [
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

const howItWent = (experience: Experience): Said => [
  experience.strategy,
  ...experience.iterations.map(({ action }) => action),
  ...outcomeOf(experience),
  ...lessonOf(experience),
];

const outcomeOf = ({ outcome }: Experience): Said => [outcome?.status, outcome?.result];
const lessonOf = ({ lesson }: Experience): Said => [lesson?.what_worked, lesson?.takeaway];

const lines = (said: Said): string => said.filter((text) => typeof text === "string").join("\n");
