/**
 * Long work cut into steps, between which the process may attend to something else: a signal that ends the run.
 */

import { Failed } from "../../failure.ts";

/** Work that yields between its steps, and returns its result. */
export type Steps<T> = Generator<undefined, T>;

/** The result, without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The result, with a pause between any two steps; what `pause` throws ends the work. */
export async function withPauses<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}

/** Lets signals in, then stops if one asked for it. */
export async function stopIfAborted(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (signal.aborted)
    throw signal.reason instanceof Failed ? signal.reason : new Failed({ code: "cancelled", signal: "SIGINT" });
}
