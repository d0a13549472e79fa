/** Passes files with known facts to the writer while others are still being parsed. A small generation is written at once at the end. */

import type { DueFile } from "../../model/index-run.ts";
import type { Stored } from "../scan/compare.ts";
import type { RowSink } from "../scan/parse-queue.ts";
import { areFew, isSmall } from "../small-run.ts";
import type { GenerationOutcome, GenerationRequest } from "./write-generation.ts";
import type { WriterSession } from "./writer-client.ts";

/** Writes rows in one session at a time, which starts when it is clear that the generation is not small. */
export type RowQueue = RowSink & {
  /** `meanwhile` is called once: after a small generation is written, else as `WriterSession.finish` says. */
  finish(request: GenerationRequest, meanwhile?: () => void): Promise<GenerationOutcome>;
  /** Undoes an unfinished session, and waits for the end of a finished one. */
  abandon(): Promise<void>;
};

/** `writeHere` writes a small generation without a session. `stored` are the compared files of the `indexed` ones. */
export function openRowQueue(
  begin: () => WriterSession,
  writeHere: ((request: GenerationRequest) => GenerationOutcome) | null,
  stored: Stored["files"],
  indexed: number,
): RowQueue {
  const idOf = new Map(stored.map(({ path, id }) => [path, id]));
  let session: WriterSession | null = null;
  let ending: WriterSession | null = null;
  /** Files that no session has yet. */
  let waiting: DueFile[] = [];
  let waitingBytes = 0;
  const begun = (): WriterSession => {
    session ??= begin();
    if (waiting.length > 0) session.put(waiting);
    waiting = [];
    waitingBytes = 0;
    return session;
  };
  return {
    expect: () => void begun(),
    ready(files) {
      for (const file of files) {
        waiting.push({ ...file, id: idOf.get(file.path) ?? null });
        waitingBytes += file.sizeBytes;
      }
      if (session !== null || writeHere === null || !areFew(waiting.length, waitingBytes)) begun();
    },
    async hasRoom() {
      await session?.hasRoom();
    },
    async finish(request, meanwhile) {
      if (session === null && writeHere !== null && isSmall(request, indexed)) {
        const contents = new Map(waiting.map((file) => [`${file.contentHash} ${file.path}`, file]));
        waiting = [];
        const due = request.due.slice().map((file) => contents.get(`${file.contentHash} ${file.path}`) ?? file);
        const outcome = writeHere({ ...request, due });
        meanwhile?.();
        return outcome;
      }
      ending = begun();
      session = null;
      return ending.finish(request, meanwhile);
    },
    async abandon() {
      await ending?.abandon();
      await session?.abandon();
    },
  };
}
