/** The clock of a server, for its log and its limits, and the random ids of its requests. */

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
