import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { historyMatch } from "../../src/retrieval/ranking/signals/history-match.ts";
import { analyzeTask } from "../../src/task/analyze.ts";
import { type Indexed, indexed } from "../support/indexed.ts";

const FILES = {
  "src/session.ts": "export const keep = 1;\n",
  "src/cookie.ts": "export const jar = 1;\n",
  "src/mail.ts": "export const send = 1;\n",
  "src/other.ts": "export const other = 1;\n",
};
const TASK = "Cookies of a session expire too early";

/** The signal's values above 0, by path; null when its source is absent. */
function values({ kb }: Pick<Indexed, "kb">, text: string): Readonly<Record<string, number>> | null {
  const task = analyzeTask(text, {
    given: { paths: [], symbols: [], languages: [] },
    concepts: new Set(),
    errors: [],
  });
  const files = kb.files();
  const nothing = new Float64Array(files.length);
  const segments = {
    count: 0,
    position: new Int32Array(0),
    ordinal: new Int32Array(0),
    kind: new Uint8Array(0),
    score: nothing,
  };
  const scored = { content: nothing, definitions: nothing, segments, matched: () => [] };
  const scores = historyMatch({ kb, files, task, anchors: [], seeds: [], text: scored }, []);
  if (scores === null) return null;
  return Object.fromEntries(files.flatMap(({ path }, at) => ((scores[at] ?? 0) > 0 ? [[path, scores[at] ?? 0]] : [])));
}

describe("a repository with a history", () => {
  let project: Indexed;
  beforeAll(async () => {
    project = await indexed(FILES, {
      git: true,
      grow: (repo) => {
        const change = (message: string, ...paths: readonly (keyof typeof FILES)[]): void => {
          repo.write(Object.fromEntries(paths.map((path) => [path, `${FILES[path]}// ${message}\n`])));
          repo.commit(message);
        };
        change("Let the cookie of a session expire on time", "src/session.ts", "src/cookie.ts");
        change("Expire the session when its cookie is lost", "src/session.ts");
        change("Send letters twice when the server is down", "src/mail.ts");
      },
    });
  });
  afterAll(() => project[Symbol.dispose]());

  test("files changed by commits with similar messages score higher, more so with more commits", () => {
    const found = values(project, TASK);
    expect(Object.keys(found ?? {}).toSorted()).toEqual(["src/cookie.ts", "src/session.ts"]);
    expect(found?.["src/session.ts"]).toBe(1);
    expect(found?.["src/cookie.ts"]).toBeLessThan(1);
    expect(found?.["src/cookie.ts"]).toBeGreaterThan(0.3);
  });

  test("a task whose words are in no commit gives no values", () => {
    expect(values(project, "Zebras graze quietly")).toEqual({});
    expect(values(project, '"* OR NEAR(') ?? "absent").toEqual({});
  });

  test("it adds to the score of a file, and is among the terms that are shown", async () => {
    const of = async (weights: Readonly<Record<string, number>>) =>
      (await project.run(TASK, { weights })).selection.files.find(({ file }) => file.path === "src/session.ts");
    const found = await of({});
    expect(found?.score.terms.map(({ signal }) => signal)).toContain("history_match");
    expect(found?.score.total).toBeGreaterThan((await of({ history_match: 0 }))?.score.total ?? 0);
  });
});

test("without a history the signal is absent", async () => {
  using project = await indexed(FILES);
  expect(values(project, TASK)).toBeNull();
});
