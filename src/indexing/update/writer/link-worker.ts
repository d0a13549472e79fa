/** The worker that resolves links beside the writer, from cached facts and the work tree. The main thread ends it. */
import { openFactSnapshot } from "../../../db/parse-cache/open-parse-cache.ts";
import { readFile } from "../../../source/files/read-file.ts";
import { familyOf, type SourceFile } from "../../imports/model.ts";
import { linkFacts } from "../../links/link-facts.ts";
import { configReader } from "../../links/link-files.ts";
import { isIn, type LinkMessage, sendLinks } from "../../links/links-elsewhere.ts";
import { namedContents } from "../../links/named-contents.ts";
import { linkPacker } from "../../links/packed-links.ts";
import { type Repository, resolveLinks } from "../../links/resolve-links.ts";
import { fileColumns } from "../../model/file-list.ts";
import { definersInFacts } from "../../references/definers-in-facts.ts";
import { textReader } from "../scan/file-content.ts";
import { garbageCollector } from "./collect-garbage.ts";
import type { LinkOrder, LinkRequest } from "./link-client.ts";

declare const self: Worker;

const FILES_PER_LOOK = 125;

/** All files so far. */
const files = fileColumns();
const names = namedContents();

self.addEventListener("message", ({ data }: MessageEvent<LinkRequest>) => {
  if (data.kind === "names") return data.contents.forEach(names.add);
  if (data.kind === "files") return data.files.forEach(files.add);
  const send = (message: LinkMessage): void => sendLinks(data.outbox, message);
  try {
    link(data, send);
  } catch (error) {
    send({ kind: "error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function link(
  { root, files: { cachePaths, extractorVersion }, outbox: { families }, sparesMemory }: LinkOrder,
  send: (m: LinkMessage) => void,
): void {
  const cache = openFactSnapshot(cachePaths, extractorVersion);
  try {
    const facts = linkFacts(cache);
    const positions = files.positions();
    const sources = facts.sourcesOf(files);
    const readText = textReader((path, bytesMax) => readFile(root, path, bytesMax));
    const config = configReader(files.find, readText);
    const namesOf = ({ path, language }: SourceFile): Uint32Array | null =>
      names.find({ language, hash: files.hashAt(positions.get(path) ?? files.length) });
    const definersIn: Repository["definersIn"] = (family) =>
      definersInFacts(
        sources.filter(({ language }) => familyOf(language) === family),
        namesOf,
      );
    const repository = { sources, positions, readConfig: config.read, facts, definersIn };
    const pack = linkPacker(positions, (batch) => send({ kind: "links", batch }));
    const collect = garbageCollector(process.memoryUsage.rss);
    let done = 0;
    for (const found of resolveLinks(repository, ({ language }) => isIn(families, language))) {
      pack.put(found);
      if (sparesMemory && done++ % FILES_PER_LOOK === 0) collect(false);
    }
    pack.end();
    send({ kind: "end", lost: [...facts.lost(), ...config.lost()], configNames: config.names() });
  } finally {
    cache.close();
  }
}
