/** Rounds of a task whose session is lost, and rounds with a plain retrieval in between. */
import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { RawLog } from "../../src/db/raw-log/raw-log.ts";
import { openSession, type SessionKey } from "../../src/db/session/session.ts";
import { NO_LOG } from "../../src/retrieval/record/record-run.ts";
import { SESSION_SHAPES } from "../../src/retrieval/record/selection-json.ts";
import { shownInLog, standingConstraints } from "../../src/retrieval/refinement/refine-round.ts";
import {
  type Constraints,
  mergeConstraints,
  NO_CONSTRAINTS,
  type RefinementRequest,
} from "../../src/retrieval/requests/refinement.ts";
import { indexed, type Run, type RunOptions } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";
import { SHOP } from "./retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));

const constraints = (request: RefinementRequest): Constraints => mergeConstraints(NO_CONSTRAINTS, request);
const refined = (taskId: string, request: RefinementRequest, wishes: RunOptions, task: string): Promise<Run> =>
  shop.run(task, { ...wishes, refines: { taskId, request } });

/** The shown items in a session, sorted, without the digests of their texts, which the log lacks. */
const kept = (taskId: string, round: number): string[] => {
  const session = openSession(shop.sessions, taskId);
  try {
    const { shown = [] } = SESSION_SHAPES.final_context.parse(session.get(round, "final_context"));
    return shown.map(({ text: _text, part: _part, ...item }) => JSON.stringify(item)).toSorted();
  } finally {
    session.close();
  }
};

test("without the session, rounds continue from the log and are compared with what it recorded", async () => {
  const task = "the newsletter has a wrong price";
  const first = await shop.run(task, { budget: 700 });
  const { taskId } = first;
  const second = await refined(taskId, { rejected_files: ["shop/mail.py"] }, { budget: 700 }, task);
  const shown = kept(taskId, 2);
  expect(shown.length).toBeGreaterThan(3);
  const inLog = shownInLog(shop.log, taskId, 3);
  expect([inLog?.round, inLog?.shown.map((item) => JSON.stringify(item)).toSorted()]).toEqual([2, shown]);
  const known = await refined(taskId, { accepted_files: ["web/clock.ts"] }, { budget: 700 }, task);
  rmSync(join(shop.sessions, `${taskId}.sqlite`));
  const lost = await refined(taskId, { accepted_files: ["web/clock.ts"] }, { budget: 700 }, task);
  expect([second.round, known.round, lost.round]).toEqual([2, 3, 4]);
  expect(lost.markdown).toBe(known.markdown);
  expect(lost.pkg.provenance.changes).toEqual({
    since_round: 3,
    added: [],
    dropped: [],
    promoted: [],
    demoted: [],
    left_out: 0,
  });
  const plain = await shop.run(task, { budget: 700 });
  expect([plain.round, plain.markdown]).toEqual([5, first.markdown]);
});

test("the log and the session agree on what was shown, lines and whole files included", async () => {
  const cases: readonly (readonly [string, RunOptions])[] = [
    ["shop layout in README.md", {}],
    ["the cart sum is wrong, by `Cart.add_item`", { budget: 250 }],
    ["a letter of prices", { stages: ["scope"] }],
    ["zzz qqq", {}],
  ];
  for (const [task, wishes] of cases) {
    const { taskId, round } = await shop.run(task, wishes);
    const found = shownInLog(shop.log, taskId, round + 1)?.shown.map((item) => JSON.stringify(item)) ?? [];
    expect([task, found.toSorted()]).toEqual([task, kept(taskId, round)]);
  }
});

test("a plain retrieval applies nothing, reports what earlier rounds asked for, and begins the rounds after it afresh", async () => {
  const task = "letters are sent twice";
  const { taskId } = await shop.run(task);
  const request = { accepted_files: ["web/clock.ts"], rejected_files: ["shop/mail.py"] };
  const asked = constraints(request);
  expect((await refined(taskId, request, {}, task)).constraints).toEqual(asked);
  const plain = await shop.run(task);
  expect([plain.round, plain.constraints, plain.notApplied]).toEqual([3, NO_CONSTRAINTS, asked]);
  const notices = plain.events.flatMap((event) => (event.event === "notice" ? [event.message] : []));
  expect(notices).toContain(
    "earlier rounds of this task asked for what this one does not apply (accepted: web/clock.ts; rejected: shop/mail.py); --keep-constraints applies it, --drop-constraints forgets it",
  );
  expect(JSON.stringify(plain.pkg)).not.toContain("web/clock.ts; rejected");
  const fourth = await refined(taskId, { missing_symbols: ["tax_for"] }, {}, task);
  expect([fourth.round, fourth.constraints]).toEqual([4, constraints({ missing_symbols: ["tax_for"] })]);
  expect(fourth.pkg.files.map(({ path }) => path)).toContain("shop/mail.py");
  expect(fourth.pkg.provenance.changes?.since_round).toBe(3);
});

test("what a plain retrieval asks for itself is not among what it does not apply", async () => {
  const task = "letters are sent late";
  const changed = constraints({ changed: ["shop/mail.py"] });
  const { taskId } = await shop.run(task, { constraints: changed });
  await refined(taskId, { accepted_files: ["web/clock.ts"] }, {}, task);
  const again = await shop.run(task, { constraints: changed });
  expect([again.taskId, again.notApplied]).toEqual([taskId, constraints({ accepted_files: ["web/clock.ts"] })]);
});

test("what earlier rounds asked for is applied or forgotten on request, also by a further round", async () => {
  const task = "letters are sent to nobody";
  const { taskId } = await shop.run(task);
  const asked = constraints({ rejected_files: ["shop/mail.py"] });
  await refined(taskId, { rejected_files: ["shop/mail.py"] }, {}, task);
  const kept = await shop.run(task, {
    standing: "keep",
    constraints: constraints({ accepted_files: ["web/clock.ts"] }),
  });
  const both = { ...asked, accepted_files: ["web/clock.ts"] };
  expect([kept.taskId, kept.round, kept.constraints, kept.notApplied]).toEqual([taskId, 3, both, null]);
  expect(kept.pkg.files.map(({ path }) => path)).not.toContain("shop/mail.py");
  expect((await shop.run(task)).notApplied).toEqual(both);
  const again = await refined(taskId, {}, { standing: "keep" }, task);
  expect([again.round, again.constraints]).toEqual([5, both]);
  const dropped = await shop.run(task, { standing: "drop" });
  expect([dropped.round, dropped.constraints, dropped.notApplied]).toEqual([6, NO_CONSTRAINTS, null]);
  expect((await shop.run(task)).notApplied).toBeNull();
  rmSync(join(shop.sessions, `${taskId}.sqlite`));
  expect((await shop.run(task)).notApplied).toBeNull();
  const refinedAgain = await refined(taskId, { rejected_files: ["shop/tax.py"] }, { standing: "keep" }, task);
  expect(refinedAgain.constraints).toEqual(constraints({ rejected_files: ["shop/tax.py"] }));
  const emptied = await refined(taskId, {}, { standing: "drop" }, task);
  expect([emptied.constraints, (await shop.run(task)).notApplied]).toEqual([NO_CONSTRAINTS, null]);
});

test("a call that asks for the same as earlier rounds reports nothing", async () => {
  const task = "letters are sent back";
  const asked = constraints({ rejected_files: ["shop/mail.py"] });
  expect((await shop.run(task, { constraints: asked })).notApplied).toBeNull();
  const second = await shop.run(task, { constraints: asked });
  expect([second.round, second.notApplied]).toEqual([2, null]);
});

test("constraints are found behind plain retrievals with the same result, and in the log behind a damaged session", async () => {
  const task = "letters are sent four times";
  const { taskId } = await shop.run(task);
  const request = { rejected_files: ["shop/mail.py"] };
  await refined(taskId, request, {}, task);
  for (const round of [3, 4, 5]) expect((await shop.run(task)).round).toBe(round);
  const before = (log: Pick<RawLog, "runs" | "decisions">): Constraints | null => {
    const session = openSession(shop.sessions, taskId);
    try {
      return standingConstraints({ session, log, taskId }, 6);
    } finally {
      session.close();
    }
  };
  expect(before(NO_LOG)).toEqual(constraints(request));
  const session = openSession(shop.sessions, taskId);
  session.set(4, "final_context", { constraints: 1 });
  session.close();
  expect(before(NO_LOG)).toBeNull();
  expect(before(shop.log)).toEqual(constraints(request));
});

test("results that come in turn are read once each, however many rounds there are", () => {
  const session = openSession(shop.sessions, "0123456789ab");
  for (let round = 1; round <= 12; round += 1) {
    session.begin("t1");
    session.set(round, "final_context", { constraints: NO_CONSTRAINTS, token_count: round % 3 });
    session.finish(round, "t2");
  }
  const read: number[] = [];
  const counted = {
    ...session,
    get(round: number, key: SessionKey) {
      if (key === "final_context") read.push(round);
      return session.get(round, key);
    },
  };
  expect(standingConstraints({ session: counted, log: NO_LOG, taskId: session.taskId }, 13)).toBeNull();
  session.close();
  expect(read).toEqual([12, 11, 10]);
});

describe("of rounds that ran at the same time", () => {
  const bothOf = async (task: string, one: RunOptions, other: RunOptions): Promise<readonly Run[]> =>
    await Promise.all([one, other].map((options) => shop.run(task, options)));

  test("later ones apply what each asked for; where they contradict each other, the last one wins", async () => {
    const task = "letters are sent five times";
    const { taskId } = await shop.run(task);
    const request = { accepted_files: ["web/clock.ts"], rejected_files: ["shop/mail.py"] };
    const other = { rejected_files: ["web/clock.ts"], missing_symbols: ["tax_for"] };
    const both = await bothOf(task, { refines: { taskId, request } }, { refines: { taskId, request: other } });
    expect(both.map(({ round }) => round)).toEqual([2, 3]);
    const joined = constraints({
      rejected_files: ["shop/mail.py", "web/clock.ts"],
      missing_symbols: ["tax_for"],
    });
    expect((await shop.run(task)).notApplied).toEqual(joined);
    const next = await refined(taskId, {}, { standing: "keep" }, task);
    expect([next.round, next.constraints]).toEqual([5, joined]);
  });

  test("a further one applies what a plain one asked for, and keeps what one dropped that it did not see", async () => {
    const task = "letters are sent six times";
    const { taskId } = await shop.run(task);
    const plain = { constraints: constraints({ changed: ["shop/mail.py"] }), standing: "keep" } as const;
    await bothOf(task, plain, { refines: { taskId, request: { accepted_files: ["web/clock.ts"] } } });
    const asked = constraints({ changed: ["shop/mail.py"], accepted_files: ["web/clock.ts"] });
    expect((await refined(taskId, {}, {}, task)).constraints).toEqual(asked);
    await bothOf(task, { refines: { taskId, request: { rejected_files: ["shop/tax.py"] } } }, { standing: "drop" });
    expect((await shop.run(task)).notApplied).toEqual(constraints({ rejected_files: ["shop/tax.py"] }));
    expect((await shop.run(task, { standing: "drop" })).notApplied).toBeNull();
    expect((await shop.run(task)).notApplied).toBeNull();
  });

  test("one that was stopped asks for nothing", async () => {
    const task = "letters are sent seven times";
    const { taskId } = await shop.run(task);
    const stopped = shop.run(task, { refines: { taskId, request: { rejected_files: ["shop/mail.py"] } }, budget: 1 });
    const request = { accepted_files: ["web/clock.ts"] };
    const [refusal, finished] = await Promise.allSettled([stopped, refined(taskId, request, {}, task)]);
    expect([refusal.status, finished.status]).toEqual(["rejected", "fulfilled"]);
    expect((await refined(taskId, {}, {}, task)).constraints).toEqual(constraints(request));
  });
});

test("a repeated old round has its own constraints", async () => {
  const task = "letters are sent three times";
  const { taskId } = await shop.run(task);
  await refined(taskId, { accepted_files: ["web/clock.ts"] }, {}, task);
  const again = await shop.run(task, { refines: { taskId, request: {}, again: true } });
  expect(again.constraints).toEqual(NO_CONSTRAINTS);
});
