/** What a run says of the model that it asks. */
import { expect, test } from "bun:test";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { SAMPLES } from "./sample-states.ts";

const sample = SAMPLES["run-model"];
const judged = sample?.run?.judgement ?? null;

const drawn = (columns: number, candidates: number, text = judged?.text ?? ""): string => {
  if (sample?.run == null || judged === null) throw new Error("the sample asks no model");
  const run = { ...sample.run, judgement: { ...judged, candidates, text } };
  return screenLines({ ...sample, size: { columns, rows: 30 }, run })
    .map((line) => line.map(({ text }) => text).join(""))
    .join("\n");
};

test("how long the model has been silent is seen beside a list of files", () => {
  for (const columns of [80, 100, 120, 200]) {
    expect(drawn(columns, 24)).toMatch(/silent [\d.]+s/);
    expect(drawn(columns, 24)).toContain("24 candidates, call 1 of 3");
  }
});

test("how long the model is waited for is seen at every size", () => {
  for (const columns of [40, 80, 120, 200])
    expect(drawn(columns, 24)).toContain("waiting for the model, at most 1m30s");
});

test("a question about the task alone counts no candidates", () => {
  expect(drawn(200, 24)).toContain("24 candidates");
  expect(drawn(200, 0)).not.toContain("candidate");
});

test("a reply of one long line shows its end, as one of many lines does", () => {
  const words = Array.from({ length: 400 }, (_, at) => `word${at}`);
  for (const text of [words.join("\n"), words.join(" "), `short\n${words.join(" ")}`, `${"x".repeat(2_000)} word399`])
    for (const columns of [100, 200]) expect(drawn(columns, 24, text)).toContain("word399");
});
