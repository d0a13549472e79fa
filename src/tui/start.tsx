/**
 * Starts the interface on a terminal and connects its parts: store, effects, drawing, and the worker thread.
 *
 * However it ends, the terminal is restored and decisions are saved.
 */
import type { ReadStream } from "node:tty";
import { render } from "ink";
import type { App } from "../app/app.ts";
import type { Environment } from "../app/environment.ts";
import { Failed } from "../failure.ts";
import { draftStore } from "./effects/draft-store.ts";
import { type EffectDeps, effectRunner } from "./effects/effect-runner.ts";
import { initialState } from "./reducers/initial-state.ts";
import { isRunning } from "./reducers/run.ts";
import { openStore, type Store } from "./reducers/store.ts";
import { hitTest } from "./state/hit-test.ts";
import type { Look } from "./state/state.ts";
import { Interface, type Lend } from "./terminal/app.tsx";
import type { Device } from "./terminal/device.ts";
import { openTerminal } from "./terminal/terminal.ts";
import type { WorkerSetup } from "./worker/protocol.ts";
import { openWorkerClient } from "./worker/worker-client.ts";

export type StartDeps = {
  readonly device: Device;
  readonly keys: ReadStream;
  readonly app: App;
  readonly world: WorkerSetup;
  readonly look: Look;
  /** A task to run at once; null to ask for one. */
  readonly task: string | null;
  /** A task's id, or the beginning of one, to stand where it stood. */
  readonly resume: string | null;
  readonly environment: Pick<Environment, "cwd" | "variables">;
  readonly files: Pick<EffectDeps, "isTaken" | "writeFile">;
};

/** Spinners turn and times grow so often while something runs. */
const TICK_MS = 100;
/** So often it is seen whether a message has been there long enough. */
const SLOW_TICK_MS = 1_000;
/** Rows that a turn of the wheel moves by. */
const WHEEL_ROWS = 3;

/**
 * Runs until the user leaves, and returns the task's id that was worked on last, if it was. Throws what ended it
 * instead: the signal's reason, or a bug.
 */
export async function start(world: StartDeps, signal: AbortSignal): Promise<string | null> {
  signal.throwIfAborted();
  const { device, keys, app, look, environment } = world;
  const { promise: ended, resolve: quit, reject: fail } = Promise.withResolvers<void>();
  const wired: { store: Store | null; lend: Lend | null } = { store: null, lend: null };
  const send: EffectDeps["send"] = (action) => wired.store?.send(action);

  const terminal = openTerminal(
    device,
    keys,
    { alternate: look.screenReader === null },
    {
      onMouse: (event) => {
        if (event.is === "wheel") return send({ is: "wheel", by: event.direction === "up" ? -WHEEL_ROWS : WHEEL_ROWS });
        const at = wired.store === null ? null : hitTest(wired.store.read(), event.column, event.row);
        if (at !== null) send({ is: "clicked", at });
      },
      onResize: (size) => {
        redraw();
        send({ is: "resized", size });
      },
      onLost: () => fail(new Failed({ code: "cancelled", signal: "SIGHUP" })),
    },
  );
  let isLent = false;
  const lend: Lend = async (use) => {
    // Keys that came in the same moment cannot lend it again.
    if (wired.lend === null || isLent) return;
    isLent = true;
    try {
      await wired.lend(async () => {
        terminal.leave();
        try {
          await device.lent(use);
        } finally {
          terminal.enter();
        }
      });
    } finally {
      isLent = false;
    }
  };
  const worker = openWorkerClient(world.world);
  const drafts = draftStore(app.drafts);
  const runEffect = effectRunner({
    worker,
    drafts,
    terminal,
    root: app.root,
    cwd: environment.cwd,
    variables: environment.variables,
    send,
    lend,
    suspend: () => device.suspend(),
    redraw: () => {
      redraw();
      // Ink draws the whole frame when it hears that the size has changed.
      device.screen.emit("resize");
    },
    ...world.files,
    quit,
    fail,
  });
  const first = initialState({
    size: terminal.size(),
    look,
    now: app.nowMs(),
    project: { root: app.root, model: app.config.settings.model },
    format: app.config.settings.format,
    task: world.task,
    resume: world.resume,
  });
  const store = withTime(openStore(first, { runEffect, later: (then, ms) => void setTimeout(then, ms) }), app.nowMs);
  wired.store = store;
  const unrun = world.task === null && world.resume === null ? drafts.load(null) : null;
  if (unrun !== null) store.send({ is: "resumed", taskId: null, task: "", round: null, draft: unrun });

  terminal.enter();
  const onReady = (given: Lend): void => {
    wired.lend = given;
  };
  const ink = render(<Interface store={store} onReady={onReady} />, {
    stdout: device.screen,
    stdin: terminal.keys,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    incrementalRendering: true,
    isScreenReaderEnabled: look.screenReader !== null,
  });
  /** Forgets what is on the screen. */
  function redraw(): void {
    terminal.wipe();
    ink.clear();
  }
  const restore = (): void => {
    ink.unmount();
    terminal.leave();
  };
  device.onLeaving(restore);
  const onAbort = (): void => fail(signal.reason);
  signal.addEventListener("abort", onAbort);
  const ticks = ticking(store, app.nowMs, look);
  try {
    await Promise.race([ended, ink.waitUntilExit()]);
    return store.newest().taskId;
  } finally {
    ticks.stop();
    signal.removeEventListener("abort", onAbort);
    restore();
    device.onLeaving(() => {});
    terminal.close();
    await worker.close();
  }
}

/** The store, told the time with everything that happens, so that none passes unseen while nobody ticks. */
const withTime = (store: Store, now: () => number): Store => ({
  ...store,
  send(action) {
    store.send({ is: "tick", now: now() });
    store.send(action);
  },
});

/**
 * Sends the time while something changes with it: often while something runs, but what is read aloud must not change
 * under the reader. Nothing wakes an interface that waits for a key.
 */
function ticking(store: Store, now: () => number, { screenReader }: Look): { stop(): void } {
  let every: number | null = null;
  let timer: ReturnType<typeof setInterval> | null = null;
  const follow = (): void => {
    const { run, index, message } = store.newest();
    const moves = screenReader === null && (isRunning(run) || index.status === "indexing");
    const wanted = moves ? TICK_MS : message === null ? null : SLOW_TICK_MS;
    if (wanted === every) return;
    every = wanted;
    if (timer !== null) clearInterval(timer);
    timer = wanted === null ? null : setInterval(() => store.send({ is: "tick", now: now() }), wanted);
  };
  const unwatch = store.watch(follow);
  follow();
  return {
    stop() {
      unwatch();
      if (timer !== null) clearInterval(timer);
    },
  };
}
