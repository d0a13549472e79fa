/** The worker that resolves links beside the writer, from cached facts and the work tree. The main thread ends it. */
import { openFactCache } from "../../db/parse-cache/open-parse-cache.ts";
import { readFile } from "../../source/files/read-file.ts";
import { familyOf } from "../imports/model.ts";
import { type ContentHashes, contentHashes } from "../links/content-hashes.ts";
import { linkFacts } from "../links/link-facts.ts";
import { configReader, type LinkedFile } from "../links/link-files.ts";
import { isIn, type LinkMessage, sendLinks } from "../links/links-elsewhere.ts";
import { linkPacker } from "../links/packed-links.ts";
import { type Repository, resolveLinks } from "../links/resolve-links.ts";
import { definersInFacts } from "../references/definers-in-facts.ts";
import { garbageCollector } from "./collect-garbage.ts";
import type { LinkOrder, LinkRequest } from "./link-client.ts";
import { textReader } from "./scan-and-parse.ts";

declare const self: Worker;

/** This thread only reads facts, so it marks nothing as used. */
const NO_DAY = 0;
const FILES_PER_LOOK = 125;

type FileColumns = {
  readonly paths: string[];
  readonly languages: string[];
  readonly sizes: number[];
  readonly hashes: ContentHashes;
};

/** All files so far by position: there may be a hundred thousand. */
const files: FileColumns = { paths: [], languages: [], sizes: [], hashes: contentHashes() };

self.addEventListener("message", ({ data }: MessageEvent<LinkRequest>) => {
  if (data.kind === "files") return data.files.forEach(put);
  const send = (message: LinkMessage): void => sendLinks(data.outbox, message);
  try {
    link(data, send);
  } catch (error) {
    send({ kind: "error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function put({ path, language, contentHash, sizeBytes }: LinkedFile): void {
  files.paths.push(path);
  files.languages.push(language);
  files.hashes.add(contentHash);
  files.sizes.push(sizeBytes);
}

function link(
  { root, files: { cachePaths, extractorVersion }, outbox: { families } }: LinkOrder,
  send: (m: LinkMessage) => void,
): void {
  const { paths, languages, hashes, sizes } = files;
  const cache = openFactCache(cachePaths, extractorVersion, NO_DAY);
  try {
    const facts = linkFacts(cache);
    const positions = new Map(paths.map((path, position) => [path, position]));
    const sources = paths.map((path, at) =>
      facts.sourceOf({ path, language: languages[at] ?? "", hash: hashes.at(at) }),
    );
    const readText = textReader((path, bytesMax) => readFile(root, path, bytesMax));
    const config = configReader((path) => {
      const at = positions.get(path);
      return at === undefined ? undefined : { path, contentHash: hashes.at(at), sizeBytes: sizes[at] ?? 0 };
    }, readText);
    const definersIn: Repository["definersIn"] = (family) =>
      definersInFacts(sources.filter(({ language }) => familyOf(language) === family));
    const repository = { sources, positions, readConfig: config.read, facts, definersIn };
    const pack = linkPacker(positions, (batch) => send({ kind: "links", batch }));
    const collect = garbageCollector(process.memoryUsage.rss);
    let done = 0;
    for (const found of resolveLinks(repository, ({ language }) => isIn(families, language))) {
      pack.put(found);
      if (done++ % FILES_PER_LOOK === 0) collect(false);
    }
    pack.end();
    send({ kind: "end", lost: [...facts.lost(), ...config.lost()], configNames: config.names() });
  } finally {
    cache.close();
  }
}
