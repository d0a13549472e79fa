/**
 * Hands files whose facts are known to who writes rows, while others are still being parsed.
 *
 * Not here: writing (`write-generation.ts`), and the thread that does it (`writer-client.ts`).
 */

import type { Stored } from "./compare.ts";
import type { RowWriter } from "./scan-and-parse.ts";
import type { ApplyOutcome, ApplyRequest } from "./write-generation.ts";
import type { ApplySession } from "./writer-client.ts";

/** Writes rows in one session at a time, which begins with the first need for it. */
export type Rows = RowWriter & {
  finish(request: ApplyRequest): Promise<ApplyOutcome>;
  /** Undoes what is not finished. */
  abandon(): Promise<void>;
};

export function rowWriter(begin: () => ApplySession, stored: Stored): Rows {
  const idOf = new Map(stored.files.map(({ path, id }) => [path, id]));
  let session: ApplySession | null = null;
  const begun = (): ApplySession => (session ??= begin());
  return {
    expect: () => void begun(),
    ready: (files) => begun().put(files.map((file) => ({ ...file, id: idOf.get(file.path) ?? null }))),
    async finish(request) {
      const ending = begun();
      session = null;
      return ending.finish(request);
    },
    async abandon() {
      await session?.abandon();
    },
  };
}
