/**
 * Starts the interface on a terminal and connects its parts: store, effects, drawing, and the worker thread.
 *
 * However it ends, the terminal is restored and decisions are saved.
 */
import type { ReadStream } from "node:tty";
import { type Instance, render } from "ink";
import type { App } from "../app/app.ts";
import type { Environment } from "../app/workspace/environment.ts";
import { Failed } from "../failure.ts";
import { draftStore } from "./effects/draft-store.ts";
import { type EffectDeps, effectRunner } from "./effects/effect-runner.ts";
import { initialState } from "./reducers/initial-state.ts";
import { isRunning } from "./reducers/run.ts";
import { taskToResume } from "./reducers/sessions.ts";
import { openStore, type Store } from "./reducers/store.ts";
import { hitTest } from "./state/layout/hit-test.ts";
import type { Look, Size } from "./state/state.ts";
import { Interface, type InterfaceProps, type Lend } from "./terminal/app.tsx";
import type { Device } from "./terminal/device.ts";
import type { MouseEvent } from "./terminal/mouse.ts";
import { plainScreen } from "./terminal/plain-screen.ts";
import { openTerminal, type Terminal } from "./terminal/terminal.ts";
import { unmarkedPastes } from "./terminal/unmarked-paste.ts";
import type { WorkerSetup } from "./worker/protocol.ts";
import { openWorkerClient } from "./worker/worker-client.ts";

type StartDeps = {
  readonly device: Device;
  readonly keys: ReadStream;
  readonly app: App;
  readonly workerSetup: WorkerSetup;
  readonly look: Look;
  /** A task to run at once; null to start on the entry screen. */
  readonly task: string | null;
  /** The id of the task to resume, or a prefix of it. */
  readonly resume: string | null;
  readonly environment: Pick<Environment, "cwd" | "variables">;
  readonly files: Pick<EffectDeps, "isTaken" | "writeFile">;
  readonly wording: EffectDeps["wording"];
};

/** Redraw interval of spinners and durations while something runs. */
const TICK_MS = 100;
/** How often expired messages are looked for. */
const SLOW_TICK_MS = 1_000;
/** Rows per wheel step. */
const WHEEL_ROWS = 3;

/**
 * Runs until the user quits, and returns the id of the task to resume, or null. Throws the signal's reason, or the error of a
 * bug.
 */
export async function start(deps: StartDeps, signal: AbortSignal): Promise<string | null> {
  signal.throwIfAborted();
  const { device, keys, app, look, environment } = deps;
  const { promise: ended, resolve: quit, reject: fail } = Promise.withResolvers<void>();
  const wired: { store: Store | null; lend: Lend | null } = { store: null, lend: null };
  const send: EffectDeps["send"] = (action) => wired.store?.send(action);

  const terminal = openTerminal(
    environment.variables.TERM === "dumb" ? { screen: plainScreen(device.screen) } : device,
    keys,
    { alternate: look.screenReader === null },
    {
      onMouse: (event) => {
        if (wired.store !== null) sendMouse(event, wired.store);
      },
      onResize: (size) => {
        redraw();
        send({ is: "resized", size });
      },
      onLost: () => fail(new Failed({ code: "cancelled", signal: "SIGHUP" })),
    },
  );
  const worker = openWorkerClient(deps.workerSetup);
  const drafts = draftStore(app.drafts);
  const runEffect = effectRunner({
    worker,
    drafts,
    terminal,
    sourcePath: app.sourcePath,
    ...environment,
    wording: deps.wording,
    send,
    lend: lender(terminal, device, () => wired.lend),
    suspend: () => device.suspend(),
    redraw: () => {
      device.refreshSize();
      redraw();
      // A resize makes Ink draw the whole frame.
      device.screen.emit("resize");
    },
    isUntracked: app.isUntracked,
    ...deps.files,
    quit,
    fail,
  });
  const store = storeOf(deps, terminal.size(), runEffect);
  wired.store = store;
  const unrun = deps.task === null && deps.resume === null ? drafts.load(null) : null;
  if (unrun !== null) store.send({ is: "resumed", taskId: null, task: "", round: null, draft: unrun });

  terminal.enter();
  const onReady = (lendInk: Lend): void => {
    wired.lend = lendInk;
  };
  const ink = renderInterface({ store, onReady }, deps, terminal);
  /** Clears the screen, so that Ink draws everything again. */
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
    return taskToResume(store.newest());
  } finally {
    ticks.stop();
    signal.removeEventListener("abort", onAbort);
    restore();
    device.onLeaving(() => {});
    terminal.close();
    await worker.close();
  }
}

/** The store with its first state. */
function storeOf(
  { app, look, task, resume }: StartDeps,
  size: Size,
  runEffect: ReturnType<typeof effectRunner>,
): Store {
  const { root, config, nowMs } = app;
  const { model, format } = config.settings;
  const first = initialState({ size, look, now: nowMs(), project: { root, model }, format, task, resume });
  return withTime(openStore(first, { runEffect, later: (then, ms) => void setTimeout(then, ms) }), nowMs);
}

function sendMouse(event: MouseEvent, store: Store): void {
  const target = hitTest(store.read(), event.column, event.row);
  if (event.is === "wheel")
    store.send({ is: "wheel", by: event.direction === "up" ? -WHEEL_ROWS : WHEEL_ROWS, target });
  else if (target !== null) store.send({ is: "clicked", target });
}

/** Lends the terminal to another program; does nothing while it is lent. `lendInk` returns null before the first frame. */
function lender(terminal: Terminal, device: Device, lendInk: () => Lend | null): Lend {
  let isLent = false;
  return async (use) => {
    const lend = lendInk();
    if (lend === null || isLent) return;
    isLent = true;
    try {
      await lend(async () => {
        terminal.leave();
        try {
          await device.lent(use);
        } finally {
          terminal.enter();
        }
      });
    } finally {
      isLent = false;
      device.refreshSize();
    }
  };
}

const renderInterface = (
  parts: Omit<InterfaceProps, "isPaste">,
  { look, app }: StartDeps,
  { keys, screen }: Terminal,
): Instance =>
  render(<Interface {...parts} isPaste={unmarkedPastes(app.nowMs)} />, {
    stdout: screen,
    stdin: keys,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    incrementalRendering: true,
    // The store leaves time between frames; a second limit would hold up every other one.
    maxFps: 1_000,
    isScreenReaderEnabled: look.screenReader !== null,
  });

/** A store that updates its clock before every action, because no timer runs while the interface is idle. */
const withTime = (store: Store, now: () => number): Store => ({
  ...store,
  send(action) {
    store.send({ is: "tick", now: now() });
    store.send(action);
  },
});

/**
 * Updates the clock while the screen shows times or a message. In linear mode nothing ticks during a run, because a screen
 * reader would read every change aloud. No timer runs while the interface only waits for a key.
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
