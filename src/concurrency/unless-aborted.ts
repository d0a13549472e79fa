/** Waits for a promise, or throws the signal's reason if it fires first. The work behind the promise continues, because others may wait for it. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([stopped.promise, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
