/** A reply that arrives in pieces: its text so far, how long it took, and when it is too much. */
import type { ModelLimits } from "./limits.ts";
import type { ModelAnswer, ModelFailure } from "./model.ts";

/** What a server says of a finished reply: its tokens, and the times of reading and writing if it took them. */
type ServerCounts = {
  readonly promptTokens: number | null;
  readonly responseTokens: number | null;
  readonly promptMs?: number | undefined;
  readonly answerMs?: number | undefined;
};

type OpenReply = {
  /** Adds a piece, empty for a sign that the server has begun. Says why the reply is to be stopped, null if it may go on. */
  add(piece: string): ModelFailure | null;
  /** The answer, when the server says why it ended. */
  ended(reason: string, counts: ServerCounts): ModelAnswer;
  /** The answer, when the call failed. */
  failed(failure: ModelFailure): ModelAnswer;
};

/** Begins a reply; its time runs from here. */
export function openReply(limits: ModelLimits, nowMs: () => number): OpenReply {
  const startedMs = nowMs();
  const blankRun = new RegExp(`\\s{${limits.blanksMax + 1}}`);
  let text = "";
  let bytes = 0;
  let firstMs: number | null = null;
  // The last characters, where a run of blanks can have started.
  let end = "";
  const elapsed = (): number => Math.max(0, Math.round(nowMs() - startedMs));
  const failed = (failure: ModelFailure): ModelAnswer => ({
    ok: false,
    failure,
    partial: text.toWellFormed(),
    ms: elapsed(),
  });
  return {
    failed,
    add(piece) {
      firstMs ??= elapsed();
      text += piece;
      bytes += Buffer.byteLength(piece);
      end += piece;
      if (bytes > limits.replyBytesMax || blankRun.test(end)) return { kind: "overlong", bytes };
      end = end.slice(-limits.blanksMax);
      return null;
    },
    ended(reason, { promptTokens, responseTokens, promptMs, answerMs }) {
      // Thoughts can take all tokens: then there is no text, and a retry gives room for both.
      if (text.trim() === "") return failed({ kind: "no-text", why: `it ended with "${reason}"` });
      if (reason === "length") return failed({ kind: "overlong", bytes });
      const ms = elapsed();
      const readMs = firstMs ?? ms;
      return {
        ok: true,
        reply: {
          text: text.toWellFormed(),
          promptTokens,
          responseTokens,
          ms,
          time: {
            promptTokens: promptTokens ?? 0,
            promptMs: promptMs ?? readMs,
            answerTokens: responseTokens ?? 0,
            answerMs: answerMs ?? ms - readMs,
          },
        },
      };
    },
  };
}
