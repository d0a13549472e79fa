/** Collects the garbage of a long step, because the engine alone would let memory grow to a multiple. */

/** Below this memory use of the process, only the engine collects garbage. */
const BYTES_FREE_TO_TAKE = 250e6;
/** Above it, garbage is collected when memory has grown by this much since it was lowest. */
const BYTES_GROWN = 50e6;

/** `memoryUse` is that of the process. Called now and then; `isNewStep`: the step before has left long-lived garbage. */
export function garbageCollector(memoryUse: () => number): (isNewStep: boolean) => void {
  let lowest = 0;
  return (isNewStep) => {
    const bytes = memoryUse();
    // Freed memory may return to the system some time after the collection.
    lowest = Math.min(lowest, bytes);
    if (bytes <= BYTES_FREE_TO_TAKE || !(isNewStep || bytes > lowest + BYTES_GROWN)) return;
    Bun.gc(true);
    lowest = memoryUse();
  };
}
