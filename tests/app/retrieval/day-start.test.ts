/** The day that words mean, seen from a Wednesday. */
import { expect, test } from "bun:test";
import { dayStart } from "../../../src/app/retrieval/day-start.ts";
import { wordedDay } from "../../../src/retrieval/requests/worded-day.ts";

const WEDNESDAY = new Date("2026-03-04T10:30:00");

test.each([
  ["today", "2026-03-04"],
  ["yesterday", "2026-03-03"],
  ["last week", "2026-02-25"],
  ["Tuesday", "2026-03-03"],
  ["last wednesday", "2026-02-25"],
  ["Thursday", "2026-02-26"],
  ["two weeks ago", "2026-02-18"],
  ["10 days ago", "2026-02-22"],
  ["2026-11-01", "2026-11-01"],
])("%s is %s", (words, date) => {
  const day = wordedDay(words);
  const start = day && dayStart(day, WEDNESDAY);
  expect(start).toEqual({ date, seconds: new Date(`${date}T00:00:00`).getTime() / 1000 });
});

test("a day that no calendar has is none", () => {
  expect(["2026-02-30", "2026-13-01", "0000-00-00", "someday", ""].map(wordedDay)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});
