/**
 * How much of the work tree is read and parsed, in bytes: files differ so much in size that counting them would make the last ones look stuck.
 */
import type { ReportProgress } from "../model/index-run.ts";

export type ReadProgress = {
  /** A file that need not be read. */
  leave(bytes: number): void;
  /** A file that is read, and parsed if it had to be. */
  finish(bytes: number): void;
};

/** `total` is the size of all files. */
export function readProgress(total: number, report: ReportProgress): ReadProgress {
  let [left, done] = [total, 0];
  const tell = (): void => report({ phase: "parse", done, total: Math.max(done, left), unit: "bytes" });
  return {
    leave(bytes) {
      left -= bytes;
    },
    finish(bytes) {
      done += bytes;
      tell();
    },
  };
}
