/** The text of an experience on each axis. */
import { expect, test } from "bun:test";
import { axisText } from "../../src/memory/experience-text.ts";
import type { Axis } from "../../src/memory/vocabulary.ts";
import { experience } from "../support/entries.ts";

function textsOf(fields: Parameters<typeof experience>[1] = {}): Readonly<Record<Axis, string | null>> {
  const entry = experience(1, fields);
  if (entry.type !== "experience") throw new Error("it is none");
  const of = (axis: Axis): string | null => axisText(entry, axis);
  return { full: of("full"), strategy: of("strategy"), surprise: of("surprise"), root_cause: of("root_cause") };
}

test("each axis has its own part of the story", () => {
  expect(textsOf()).toEqual({
    full: [
      ...["debugging", "read-the-error", "make the nightly build pass", "the clock is wrong", "pinned the timezone"],
      ...["it passes at midnight", "falsified", "it failed again", "the runner had no locale", "environment-issue"],
      ...["the image lacks tzdata", "installed the package", "look at the image first"],
    ].join("\n"),
    strategy: [
      ...["read-the-error", "pinned the timezone", "falsified", "it failed again", "installed the package"],
      "look at the image first",
    ].join("\n"),
    surprise: "the runner had no locale",
    root_cause: "environment-issue\nthe image lacks tzdata",
  });
});

test("an open experience has text only on the full axis", () => {
  const open = textsOf({ outcome: null, surprise: null, root_cause: null, lesson: null });
  expect({ ...open, full: null }).toEqual({
    full: null,
    strategy: null,
    surprise: null,
    root_cause: null,
  });
  expect(open.full?.split("\n")).toHaveLength(6);
});

test("ids, times and confidence do not matter", () => {
  const other = { id: "exp-ffffffffffff", created_at: "2000-01-01T00:00:00.000Z", confidence: "gold" } as const;
  expect(textsOf({ ...other, updated_at: other.created_at, task_id: "0123456789ab" })).toEqual(textsOf());
});
