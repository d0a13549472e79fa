/** The texts that a store is asked about: those of the work tree, and those of a commit as far as git has them. */
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import type { StatEntry } from "../../db/parse-cache/stat-cache.ts";
import type { IndexOptions } from "../../indexing/model/index-run.ts";
import type { IndexDeps } from "../../indexing/update/index-deps.ts";
import { isSettled, statKeyOf, type WalkResult } from "../../indexing/update/scan/change-fingerprint.ts";
import { hashOf, readContent } from "../../indexing/update/scan/file-content.ts";
import { statMaker } from "../../indexing/update/scan/scan-and-parse.ts";
import { languageIn } from "../../languages/script-language.ts";
import { openRevisions } from "../../source/revisions/open-revisions.ts";
import { decode } from "../../text/decode.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { CONTENTS_AT_ONCE, type LocalContent } from "./take-facts.ts";
import type { TakenIndex } from "./take-index.ts";

/** A work tree that is read. */
type TreeReading = {
  /** The texts of some files that are worth indexing. */
  contents(files: WalkResult["tree"]["files"]): AsyncGenerator<LocalContent>;
  /** The hashes of the texts so far. */
  readonly hashes: ReadonlySet<string>;
  /** Notes what was read, so that the run that follows reads no file a second time. */
  remember(cache: Pick<ParseCache, "statEntries" | "setStatEntries">): void;
};

export function readTree(
  { workTree, build }: Pick<IndexDeps, "workTree" | "build">,
  { tree, walkedAt }: WalkResult,
  { bytesMax }: Pick<IndexOptions, "bytesMax">,
): TreeReading {
  const limits = { bytesMax, vendoredIsMain: workTree.vendoredIsMain(tree.list().paths) };
  const hashes = new Set<string>();
  const entries = new Map<string, StatEntry>();
  return {
    hashes,
    async *contents(files) {
      for (const entry of files) {
        const { path, sizeBytes } = entry;
        if (workTree.skipByPath(path, sizeBytes, limits) !== null) continue;
        const content = readContent(workTree, path, bytesMax);
        if (content.kind === "problem") continue;
        const { contentHash: hash, language, sizeBytes: bytes } = content.file;
        const skip = content.kind === "skipped" ? content.reason : null;
        if (isSettled(entry, walkedAt)) {
          const { script } = content;
          entries.set(path, { path, statKey: statKeyOf(entry), hash, skip, script });
        }
        if (content.kind === "skipped") continue;
        hashes.add(hash);
        yield { path, hash, language, text: content.text, bytes };
      }
    },
    remember(cache) {
      const maker = statMaker(build);
      cache.setStatEntries(maker, cache.statEntries(maker), [...entries.values()]);
    },
  };
}

/** Files of a commit whose contents are not in the work tree, as far as git has them. */
export async function* committedContents(
  root: string,
  { variables }: Workspace["environment"],
  commit: string,
  files: TakenIndex["files"],
  signal: AbortSignal,
): AsyncGenerator<LocalContent> {
  const reader = openRevisions(variables);
  const tree = await reader.files(root, commit, signal);
  if (tree.kind !== "found") return;
  for (let at = 0; at < files.length; at += CONTENTS_AT_ONCE) {
    const some = files.slice(at, at + CONTENTS_AT_ONCE);
    const hashOfPath = (path: string): string => tree.value.get(path)?.hash ?? "";
    const wanted = [...new Set(some.map(({ path }) => hashOfPath(path)))].filter((hash) => hash !== "");
    const contents = await reader.contents(root, wanted, signal);
    if (contents.kind !== "found") return;
    for (const { path, contentHash } of some) {
      const bytes = contents.value.get(hashOfPath(path));
      if (bytes === undefined || bytes === "too large" || hashOf(bytes) !== contentHash) continue;
      const decoded = decode(bytes);
      if (decoded.kind === "binary") continue;
      yield {
        path,
        hash: contentHash,
        language: languageIn(path, decoded.text),
        text: decoded.text,
        bytes: bytes.length,
      };
    }
  }
}

/** Handles contents in batches as they come. `done` counts the contents of all batches. */
export async function inBatches(
  contents: AsyncIterable<LocalContent>,
  handle: (contents: readonly LocalContent[], done: number) => Promise<void>,
): Promise<void> {
  let batch: LocalContent[] = [];
  let done = 0;
  for await (const content of contents) {
    batch.push(content);
    if (batch.length < CONTENTS_AT_ONCE) continue;
    done += batch.length;
    await handle(batch, done);
    batch = [];
  }
  if (batch.length > 0) await handle(batch, done + batch.length);
}
