/** A temporary folder for database files. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Folder = Disposable & { readonly path: string; at(name: string): string };

export function folder(): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "cra-db-")));
  return {
    path,
    at: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
