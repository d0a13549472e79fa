/** Ends the work for a request: it took too long, its client is gone, or the server ends. */
import { Failed } from "../failure.ts";

export type Stop = {
  readonly signal: AbortSignal;
  /** Why the signal fired; null while it has not. */
  why(): "late" | "gone" | "ending" | null;
  /** The client is gone. */
  end(): void;
  /** Call it in any case. */
  release(): void;
};

export function stopOf(gone: AbortSignal, ending: AbortSignal, afterMs: number): Stop {
  const controller = new AbortController();
  let why: ReturnType<Stop["why"]> = null;
  const stop = (cause: NonNullable<typeof why>) => (): void => {
    why ??= cause;
    controller.abort(new Failed({ code: "cancelled", signal: "SIGTERM" }));
  };
  const [onGone, onEnding] = [stop("gone"), stop("ending")];
  const timer = setTimeout(stop("late"), afterMs);
  gone.addEventListener("abort", onGone, { once: true });
  ending.addEventListener("abort", onEnding, { once: true });
  if (gone.aborted) onGone();
  if (ending.aborted) onEnding();
  return {
    signal: controller.signal,
    why: () => why,
    end: onGone,
    release() {
      clearTimeout(timer);
      gone.removeEventListener("abort", onGone);
      ending.removeEventListener("abort", onEnding);
    },
  };
}
