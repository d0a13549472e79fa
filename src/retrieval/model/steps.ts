/** Long work cut into steps, between which the process can handle a signal that ends the run. */
import { nextTurn } from "../../concurrency/next-turn.ts";
import { Failed } from "../../failure.ts";

/** Yields between its steps and returns the result. */
export type Steps<T> = Generator<undefined, T>;

/** Runs the steps without pauses. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs the steps with a pause between any two; what `pause` throws ends the work. */
export async function withPauses<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}

/** Lets the process handle signals. Throws the signal's reason once it is aborted. */
export async function stopIfAborted(signal: AbortSignal): Promise<void> {
  await nextTurn();
  if (signal.aborted)
    throw signal.reason instanceof Failed ? signal.reason : new Failed({ code: "cancelled", signal: "SIGINT" });
}
