/** The worker that resolves links beside the writer, from cached facts and the work tree. The main thread ends it. */
import { openFactCache } from "../../db/parse-cache/open-parse-cache.ts";
import { readFile } from "../../source/files/read-file.ts";
import { byPath } from "../../text/order.ts";
import { familyOf } from "../imports/model.ts";
import { linkFacts } from "../links/link-facts.ts";
import { configReader } from "../links/link-files.ts";
import { isIn, type LinkMessage, sendLinks } from "../links/links-elsewhere.ts";
import { linkPacker } from "../links/packed-links.ts";
import { type Repository, resolveLinks } from "../links/resolve-links.ts";
import { definersInFacts } from "../references/definers-in-facts.ts";
import { garbageCollector } from "./collect-garbage.ts";
import type { LinkRequest } from "./link-client.ts";
import { textReader } from "./scan-and-parse.ts";

declare const self: Worker;

/** This thread only reads facts, so it marks nothing as used. */
const NO_DAY = 0;
const FILES_PER_LOOK = 125;

self.addEventListener("message", ({ data }: MessageEvent<LinkRequest>) => {
  const send = (message: LinkMessage): void => sendLinks(data.outbox, message);
  try {
    link(data, send);
  } catch (error) {
    send({ kind: "error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function link(
  { root, files: { cachePaths, extractorVersion }, links, outbox: { families } }: LinkRequest,
  send: (m: LinkMessage) => void,
): void {
  const cache = openFactCache(cachePaths, extractorVersion, NO_DAY);
  try {
    const files = links.toSorted(byPath);
    const facts = linkFacts(cache);
    const sources = files.map(({ path, language, contentHash: hash }) => facts.sourceOf({ path, hash, language }));
    const readText = textReader((path, bytesMax) => readFile(root, path, bytesMax));
    const paths = files.map(({ path }) => path);
    const positions = new Map(paths.map((path, position) => [path, position]));
    const config = configReader((path) => files[positions.get(path) ?? -1], readText);
    const indexed = new Set(paths);
    const tree = { sources, positions, paths: () => indexed, readConfig: config.read };
    const definersIn: Repository["definersIn"] = (family) =>
      definersInFacts(sources.filter(({ language }) => familyOf(language) === family));
    const repository = { ...tree, facts, definersIn };
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
