/** The bonus of definitions whose own name the task's title says. */
import { expandIdentifier, identifiersIn } from "../../text/terms/identifiers.ts";
import { stem } from "../../text/terms/stem.ts";
import { STOP_WORDS } from "../../text/terms/stop-words.ts";

/** When the title says every word of the name. */
const TITLE_BONUS_MAX = 0.1;

/** The bonus of a name: the share of its words, but for stop words, whose stems are in the title. */
export function titleBonus(title: string): (name: string) => number {
  const titleStems = new Set(identifiersIn(title).flatMap(stemsOf));
  // Names come again and again: a method is called the same in many classes.
  const cache = new Map<string, number>();
  return (name) => {
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const stems = stemsOf(name);
    const share = stems.length === 0 ? 0 : stems.filter((word) => titleStems.has(word)).length / stems.length;
    const bonus = TITLE_BONUS_MAX * share;
    cache.set(name, bonus);
    return bonus;
  };
}

function stemsOf(name: string): readonly string[] {
  const [whole, ...parts] = expandIdentifier(name);
  const words = parts.length > 0 ? parts : whole === undefined ? [] : [whole];
  return words.filter((word) => !STOP_WORDS.has(word)).map(stem);
}
