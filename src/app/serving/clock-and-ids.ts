/** The clock and the chance of a server: what its log, its limits and its ids are made with. */

export type Clock = {
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  /** The time as an ISO text. */
  time(): string;
  /** A name that no other request has. */
  newId(): string;
};

export const CLOCK: Clock = {
  nowMs: () => performance.now(),
  time: () => new Date().toISOString(),
  newId: () => crypto.randomUUID(),
};
