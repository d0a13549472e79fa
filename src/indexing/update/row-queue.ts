/** Passes files with known facts to the writer while others are still being parsed. */

import type { Stored } from "./compare.ts";
import type { RowSink } from "./parse-queue.ts";
import type { GenerationOutcome, GenerationRequest } from "./write-generation.ts";
import type { WriterSession } from "./writer-client.ts";

/** Writes rows in one session at a time. The first use starts a session. */
export type RowQueue = RowSink & {
  finish(request: GenerationRequest): Promise<GenerationOutcome>;
  /** Undoes an unfinished session. */
  abandon(): Promise<void>;
};

export function openRowQueue(begin: () => WriterSession, stored: Stored): RowQueue {
  const idOf = new Map(stored.files.map(({ path, id }) => [path, id]));
  let session: WriterSession | null = null;
  const begun = (): WriterSession => (session ??= begin());
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
