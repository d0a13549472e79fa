/** The failure that some work ends with. An error that is no failure is a bug, and is thrown on. */
import { Failed, type Failure } from "../../src/failure.ts";

/** Throws if nothing fails. */
export function failureOf(work: () => unknown): Failure {
  const failed = failedOf(work);
  if (failed === null) throw new Error("it did not fail");
  return failed.failure;
}

/** The code of the failure, or "none". */
export const failureCode = (work: () => unknown): string => failedOf(work)?.failure.code ?? "none";

/** The code and the message of the failure, or "none". */
export function failureLine(work: () => unknown): string {
  const failed = failedOf(work);
  return failed === null ? "none" : `${failed.failure.code}: ${failed.message}`;
}

function failedOf(work: () => unknown): Failed | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Failed) return error;
    throw error;
  }
}
