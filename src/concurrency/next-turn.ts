/** Lets the event loop handle what waits for it, such as signals, messages and timers, before the caller goes on. */
export const nextTurn = (): Promise<void> => new Promise((resume) => setImmediate(resume));
