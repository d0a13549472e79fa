import { expect, test } from "bun:test";
import { openStore } from "../../../src/tui/reducers/store.ts";
import type { Action } from "../../../src/tui/state/actions.ts";
import type { Effect } from "../../../src/tui/state/effects.ts";
import { beginning, reviewIn, reviewing, typing } from "../play.ts";

/** Time that goes on when it is told to. */
function clock() {
  const due: { at: number; then: () => void }[] = [];
  let now = 0;
  return {
    later: (then: () => void, ms: number) => void due.push({ at: now + ms, then }),
    pass(ms: number) {
      const until = now + ms;
      for (;;) {
        const at = due.findIndex((one) => one.at <= until && due.every((other) => one.at <= other.at));
        const [next] = at < 0 ? [] : due.splice(at, 1);
        if (next === undefined) break;
        now = next.at;
        next.then();
      }
      now = until;
    },
  };
}

function opened(state = reviewing(50)) {
  const time = clock();
  const effects: Effect[] = [];
  let frames = 0;
  const store = openStore(
    { state, effects: [{ do: "load-home" }] },
    { runEffect: (effect) => void effects.push(effect), later: time.later },
  );
  const unwatch = store.watch(() => {
    frames += 1;
  });
  return { store, time, effects, unwatch, frames: () => frames };
}

const press = (key: string): Action => ({ is: "pressed", key });

test("the initial effects run first, then every effect in order", () => {
  const { store, effects } = opened();
  store.send(press("+"));
  store.send(press("w"));
  store.send(press("return"));
  expect(effects.map((effect) => effect.do)).toEqual(["load-home", "dry-run", "persist", "save"]);
});

test("every action of a burst counts, and the burst is one frame", () => {
  const { store, time, frames } = opened();
  for (const key of "jjjjj") store.send(press(key));
  expect([reviewIn(store.newest()).cursor, reviewIn(store.read()).cursor, frames()]).toEqual([5, 0, 0]);
  time.pass(0);
  expect([reviewIn(store.read()).cursor, frames()]).toEqual([5, 1]);
});

test("at most thirty frames a second are drawn, and always the last state", () => {
  const { store, time, frames } = opened();
  for (let at = 0; at < 1_000; at += 1) {
    store.send(press(at % 2 === 0 ? "j" : "k"));
    time.pass(1);
  }
  expect(frames()).toBeGreaterThan(20);
  expect(frames()).toBeLessThanOrEqual(32);
  time.pass(100);
  expect(store.read()).toBe(store.newest());
});

test("after a pause the next key is drawn at once", () => {
  const { store, time, frames } = opened();
  store.send(press("j"));
  time.pass(1_000);
  store.send(press("j"));
  time.pass(0);
  expect([frames(), reviewIn(store.read()).cursor]).toEqual([2, 2]);
});

test("an action without a change draws nothing; an unsubscribed listener gets nothing", () => {
  const { store, time, frames, unwatch } = opened();
  store.send({ is: "cancelled", run: 99 });
  time.pass(100);
  expect(frames()).toBe(0);
  unwatch();
  store.send(press("j"));
  time.pass(100);
  expect(frames()).toBe(0);
});

test("an answer that arrives while effects run is applied after them", () => {
  const time = clock();
  const done: string[] = [];
  const store = openStore(
    { state: beginning(), effects: [] },
    {
      later: time.later,
      runEffect(effect, send) {
        done.push(effect.do);
        if (effect.do !== "retrieve") return;
        send({ is: "failed", run: effect.run, message: "no" });
        done.push(store.newest().screen);
      },
    },
  );
  for (const action of typing("x")) store.send(action);
  store.send(press("return"));
  expect([store.newest().screen, store.newest().run?.failure]).toEqual(["entry", "no"]);
  expect(done.slice(done.indexOf("retrieve"))).toEqual(["retrieve", "run", "persist", "load-home", "persist"]);
});
