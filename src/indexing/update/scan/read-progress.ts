/**
 * How much of the work tree is read and parsed, in bytes: files differ so much in size that counting them would make the last ones look stuck.
 */
import type { ReportProgress } from "../../model/index-run.ts";

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

/**
 * Reports several readings at the same time as one. Each is given the bytes that it may have to read, and the function to report to; what it did
 * not have to read is left out when it ends.
 */
export function joinedProgress(report: ReportProgress) {
  const readings: { done: number; total: number }[] = [];
  const sum = (part: "done" | "total"): number => readings.reduce((all, reading) => all + reading[part], 0);
  return async <Result>(bytes: number, read: (report: ReportProgress) => Promise<Result>): Promise<Result> => {
    const reading = { done: 0, total: bytes };
    readings.push(reading);
    const result = await read(({ done, total }) => {
      reading.done = done;
      reading.total = total ?? bytes;
      report({ phase: "parse", done: sum("done"), total: sum("total"), unit: "bytes" });
    });
    reading.total = reading.done;
    return result;
  };
}
