/** Reads the day that words of a task mean, relative to today: "yesterday", "last week", "Monday", "2026-11-01". */

/** `weekday` counts from Sunday, 0, and is the last one before today. `date` is a day of the calendar, as ISO 8601 writes it. */
export type WordedDay = { readonly date: string } | { readonly weekday: number } | { readonly daysAgo: number };

/** "three", as numbers are worded in a task. */
export const NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const DAYS_OF: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

/** The part of a regular expression that finds such words, without a group. */
export const DAY_WORDS = [
  "today",
  "yesterday",
  `(?:(?:last|this) )?(?:${WEEKDAYS.join("|")})`,
  "(?:the )?last (?:week|month|year)",
  String.raw`(?:a|\d{1,2}|${NUMBERS.join("|")}) (?:day|week|month)s? ago`,
  String.raw`\d{4}-\d\d-\d\d`,
].join("|");

/** The day of some words; null for others and for a day that no calendar has. */
export function wordedDay(text: string): WordedDay | null {
  const words = text.toLowerCase();
  if (/^\d{4}-/.test(words)) return isDate(words) ? { date: words } : null;
  const last = words.split(" ").at(-1) ?? "";
  const weekday = WEEKDAYS.indexOf(last);
  if (weekday >= 0) return { weekday };
  const [, count = "", unit = ""] = /^(\S+) (day|week|month)s? ago$/.exec(words) ?? [];
  if (unit !== "") return { daysAgo: numberOf(count) * (DAYS_OF[unit] ?? 1) };
  if (words === "today") return { daysAgo: 0 };
  if (words === "yesterday") return { daysAgo: 1 };
  const days = DAYS_OF[last];
  return days === undefined ? null : { daysAgo: days };
}

/** The number in words or digits; "a" is one. */
export const numberOf = (word: string): number =>
  word === "a" ? 1 : Number(word) || NUMBERS.indexOf(word.toLowerCase()) + 1;

const isDate = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};
