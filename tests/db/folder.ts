/** A temporary folder for database files. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failed, type Failure } from "../../src/failure.ts";

export type Folder = Disposable & { readonly path: string; at(name: string): string };

export function folder(): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "cra-db-")));
  return {
    path,
    at: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** The failure that `work` ends with. */
export function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failed) return error.failure;
    throw error;
  }
  throw new Error("it did not fail");
}
