/** How long a call to a model may take, and how much it may send. */

/** Seconds are above 0 and may be fractions; bytes are those of UTF-8. */
export type ModelLimits = {
  /** Until the connection is established, including name lookup and certificate check. */
  readonly connectSeconds: number;
  /** From then until the first piece of the answer. The server loads the model meanwhile. */
  readonly firstTokenSeconds: number;
  /** Between one piece and the next. */
  readonly idleSeconds: number;
  /** The whole call. */
  readonly totalSeconds: number;
  /** Of the reply's text. */
  readonly replyBytesMax: number;
  /** Consecutive blanks: models under a schema can write them endlessly. */
  readonly blanksMax: number;
};

export const MODEL_LIMITS: ModelLimits = {
  connectSeconds: 2,
  firstTokenSeconds: 60,
  idleSeconds: 20,
  totalSeconds: 120,
  replyBytesMax: 64 * 1024,
  blanksMax: 200,
};

/** The limits of a call that has at most `secondsMax`. */
export const within = (limits: ModelLimits, secondsMax: number = Number.POSITIVE_INFINITY): ModelLimits => ({
  ...limits,
  totalSeconds: Math.min(limits.totalSeconds, Math.max(0.01, secondsMax)),
});

/** Transferred bytes for each byte of text: every token of a few letters is a line of about 150 bytes. */
const WIRE_FACTOR = 64;

/** For everything around the text, such as the thoughts of a model that cannot disable them. */
const WIRE_BYTES_SPARE = 64 * 1024;

/** The maximum number of bytes read of any answer. */
export const wireBytesMax = (limits: ModelLimits): number => limits.replyBytesMax * WIRE_FACTOR + WIRE_BYTES_SPARE;
