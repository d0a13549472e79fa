/** When a day that a task names began, in the time zone of the machine. */
import type { WordedDay } from "../../retrieval/requests/worded-day.ts";

/** The beginning of the day in seconds since 1970, and its date. `now` is the time of the question. */
export function dayStart(day: WordedDay, now: Date): { readonly seconds: number; readonly date: string } {
  const at = "date" in day ? new Date(`${day.date}T00:00:00`) : new Date(now);
  if (!("date" in day)) at.setDate(at.getDate() - ("daysAgo" in day ? day.daysAgo : daysSince(day.weekday, now)));
  at.setHours(0, 0, 0, 0);
  const parts = [at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0"));
  return { seconds: Math.floor(at.getTime() / 1000), date: [at.getFullYear(), ...parts].join("-") };
}

/** One to seven: a weekday is the last one before today. */
const daysSince = (weekday: number, now: Date): number => ((now.getDay() - weekday + 6) % 7) + 1;
