/** Files and definitions of one of several repositories rank as they do alone. */
import { expect, test } from "bun:test";
import type { KnowledgeBase } from "../../../src/db/curated/knowledge-base.ts";
import { unionIndex } from "../../../src/db/curated/union/union-index.ts";
import { NO_LINKS } from "../../../src/db/curated/union/union-rows.ts";
import { findAnchors } from "../../../src/retrieval/anchors/anchors.ts";
import { atOnce } from "../../../src/retrieval/model/steps.ts";
import { rank } from "../../../src/retrieval/ranking/ranking.ts";
import { loadSignals, weightsFrom } from "../../../src/retrieval/ranking/weights.ts";
import { analyzeTask } from "../../../src/task/analyze.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

const api = shared(
  await indexed({
    "src/session.py":
      "class Session:\n    def renew(self, cookie):\n        return cookie.expires\n\n    def close(self):\n        self.cookie = None\n",
    "src/cookie.py":
      "def parse_cookie(text):\n    return text.split(';')\n\n\ndef expires(cookie):\n    return cookie\n",
    "src/token.py": "def renew_token(session):\n    return session.token\n",
    "src/mail.py": "def send(to):\n    return to\n",
    "tests/test_session.py": "def test_renew():\n    assert Session().renew(None)\n",
  }),
);
/** Its files hold the same words more often, about something else. */
const bakery = shared(
  await indexed({
    "recipes/cookie.ts":
      "export function cookie(): string {\n  // cookie cookie cookie dough\n  return bakeCookie();\n}\nfunction bakeCookie(): string {\n  return 'cookie';\n}\n",
    "recipes/expires.ts": "export const expires = (cookie: string): string => cookie;\n",
    "shop.ts": "export class Session {\n  open(): void {}\n}\n",
  }),
);

const WEIGHTS = await loadSignals(weightsFrom("default", "bug_fix"));

function ranking(kb: KnowledgeBase, text: string) {
  const task = analyzeTask(text, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() });
  const files = kb.files();
  const ranked = atOnce(rank({ kb, files, task, anchors: findAnchors(task, kb, files), seeds: [], weights: WEIGHTS }));
  const names = new Map(kb.symbolsIn(files.map(({ id }) => id)).map((row) => [row.id, row.qualifiedName]));
  return {
    files: ranked.files.map(({ path, total }) => ({ path, total })),
    scores: ranked.files,
    definitions: ranked.definitions.map(({ symbolId, fileId, score }) => ({
      name: names.get(symbolId) ?? "",
      path: files.find(({ id }) => id === fileId)?.path ?? "",
      score,
    })),
  };
}

const TASK = "Session.renew ignores when a cookie expires\n\nA renewed session keeps the token of the old one.";
const together = unionIndex(
  [
    { name: "api", kb: api.kb },
    { name: "bakery", kb: bakery.kb },
  ],
  NO_LINKS,
  "/root",
);

test("the right repository's files keep their order and their scores, and those of the other follow at a factor", () => {
  const alone = ranking(api.kb, TASK);
  const union = ranking(together, TASK);
  const own = union.files.filter(({ path }) => path.startsWith("api/"));
  expect(own.map(({ path }) => path)).toEqual(alone.files.map(({ path }) => `api/${path}`));
  for (const [at, { total }] of own.entries()) expect(total).toBeCloseTo(alone.files[at]?.total ?? 0, 1);
  expect(union.files.slice(0, 2).map(({ path }) => path)).toEqual(["api/src/session.py", "api/src/cookie.py"]);
  const ofBakery = union.scores.filter(({ path }) => path.startsWith("bakery/"));
  expect(ofBakery.length).toBeGreaterThan(0);
  for (const { total, terms } of ofBakery) {
    expect(terms.find(({ signal }) => signal === "repository_weight")?.value).toBeLessThan(0);
    expect(total).toBeCloseTo(
      terms.reduce((sum, { value, weight }) => sum + value * weight, 0),
      6,
    );
  }
});

test("so do definitions", () => {
  const named = (kb: KnowledgeBase) => ranking(kb, TASK).definitions;
  const union = named(together);
  expect(union.filter(({ path }) => path.startsWith("api/")).map(({ name }) => name)).toEqual(
    named(api.kb).map(({ name }) => name),
  );
  expect(union.map(({ score }) => score)).toEqual(union.map(({ score }) => score).toSorted((a, b) => b - a));
});

test("a union of one repository ranks like the repository", () => {
  const one = unionIndex([{ name: "api", kb: api.kb }], NO_LINKS, "/root");
  expect(ranking(one, TASK).files.map(({ path }) => path)).toEqual(
    ranking(api.kb, TASK).files.map(({ path }) => `api/${path}`),
  );
});
