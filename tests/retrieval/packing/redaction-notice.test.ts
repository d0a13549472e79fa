/** A package reports its redactions, within the budget. */
import { expect, test } from "bun:test";
import type { FileJson } from "../../../src/retrieval/model/package-schema.ts";
import { redactions } from "../../../src/retrieval/packing/redaction-notice.ts";
import { indexed } from "../../support/indexed.ts";
import { packageFile } from "../../support/package.ts";
import { shared } from "../../support/shared.ts";

const file = (path: string, more: Partial<FileJson>): FileJson => packageFile({ path, relevance_rank: 1, ...more });
const snippet = (text: string) => ({ start_line: 1, end_line: 1, text, reason: "" });

test("without redactions there is no notice", () => {
  expect(redactions("a task", [file("a.py", { snippets: [snippet("x = 1")] })])).toEqual([]);
});

test("the notice names places, counts and kinds, each kind once", () => {
  const two = snippet(
    'a = "[redacted: GitHub token]"\nb = "[redacted: GitHub token]"\nc = "[redacted: AWS secret key]"',
  );
  expect(redactions("fix [redacted: private key]", [file("a.py", {}), file("b.py", { snippets: [two] })])).toEqual([
    {
      code: "secrets-redacted",
      places: [
        { where: "the task", count: 1, kinds: ["private key"] },
        { where: "b.py", count: 3, kinds: ["AWS secret key", "GitHub token"] },
      ],
    },
  ]);
});

test("a secret in a reason counts if no code shows it", () => {
  const reasons = { rationale_comments: ["line 1: because [redacted: Slack token]"] };
  expect(redactions("", [file("a.py", reasons)])).toMatchObject([{ places: [{ where: "a.py", count: 1 }] }]);
});

test("many places are summarized", () => {
  const files = Array.from({ length: 30 }, (_, at) =>
    file(`f${at}.py`, { snippets: [snippet("[redacted: npm token]")] }),
  );
  const [notice] = redactions("", files);
  expect(notice).toMatchObject({
    places: { length: 21, 20: { where: "10 more files", count: 10, kinds: ["npm token"] } },
  });
});

const here = shared(
  await indexed({
    "pay.py": 'def pay(amount):\n    token = "[redacted: Stripe key]"\n    return amount, token\n',
  }),
);

test("the package and the run report it", async () => {
  const run = await here.run("fix pay in pay.py");
  const said = "1 secret is redacted: Stripe key in pay.py; to show them: --allow-secrets";
  expect(run.pkg.warnings).toContain(said);
  expect(run.events).toContainEqual({ event: "notice", code: "secrets-redacted", message: said });
  expect(run.pkg.token_count).toBeLessThanOrEqual(run.pkg.budget);
});
