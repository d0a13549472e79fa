/** How long a call to a model may take, and how much it may send. */

/** Seconds are above 0 and may be fractions; bytes are those of UTF-8. */
export type ModelLimits = {
  /** Until the connection stands, its name looked up and its certificate checked. */
  readonly connectSeconds: number;
  /** From then until the first piece of the answer. The server loads the model meanwhile. */
  readonly firstTokenSeconds: number;
  /** Between one piece and the next. */
  readonly idleSeconds: number;
  /** The whole call. */
  readonly totalSeconds: number;
  /** Of the reply's text. */
  readonly replyBytesMax: number;
  /** Blanks in a row: models that are held to a schema can fall into writing them without end. */
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

/** Bytes on the wire for one of text: each token of a few letters comes in a line of its own of about 150. */
const WIRE_FACTOR = 64;

/** For what comes before and after the text, such as thoughts of a model that cannot be kept from them. */
const WIRE_BYTES_SPARE = 64 * 1024;

/** How many bytes of an answer are read at most, whatever it is. */
export const wireBytesMax = (limits: ModelLimits): number => limits.replyBytesMax * WIRE_FACTOR + WIRE_BYTES_SPARE;
