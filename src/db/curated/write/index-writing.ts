/** What a generation of the index is written with: the index, and the parse cache that has the facts. */
import { type CachePaths, openFactCache } from "../../parse-cache/open-parse-cache.ts";
import { takeChecksum, writeChecksum } from "../../sqlite/checksum.ts";
import { CURATED_SCHEMA } from "../schema.ts";
import { openCuratedWriter } from "./write.ts";

export type IndexFiles = {
  readonly curatedPath: string;
  readonly cachePaths: CachePaths;
  readonly extractorVersion: string;
};

/** The writer only reads facts, so it marks nothing as used. */
const NO_DAY = 0;

/** Opens both and drops the index's checksum. `close` undoes what was not committed; `seal` stores the checksum of a closed index. */
export function openIndexWriting({ curatedPath, cachePaths, extractorVersion }: IndexFiles) {
  const writer = openCuratedWriter(curatedPath);
  try {
    const cache = openFactCache(cachePaths, extractorVersion, NO_DAY);
    const close = (): void => {
      cache.close();
      writer.close();
    };
    try {
      const before = takeChecksum(curatedPath);
      return { writer, cache, close, seal: (): void => writeChecksum(curatedPath, CURATED_SCHEMA, before) };
    } catch (error) {
      cache.close();
      throw error;
    }
  } catch (error) {
    writer.close();
    throw error;
  }
}
