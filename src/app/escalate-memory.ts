/**
 * Gives escalation what is remembered of similar failures, and a ranking by meaning where an embedding model is set.
 *
 * Nothing is written: entries without a stored vector are found by their words, and a store that is half written is left
 * alone. Not here: choosing (`escalation/`).
 */
import { lstatSync } from "node:fs";
import type { SimilarFailures } from "../escalation/memory-entries.ts";
import type { RankByMeaning } from "../escalation/sot-files.ts";
import { Failed } from "../failure.ts";
import { modelFailureWords } from "../llm/model-failure.ts";
import { rankTexts } from "../recall/search/rank-texts.ts";
import { similarFailures } from "../recall/search/similar-failures.ts";
import { openEmbedder, sendingNotice } from "./open-model.ts";
import { openSearcher, type SearchingWorld } from "./open-searcher.ts";
import { guardedEmbedder } from "./redaction.ts";

export type EscalationMemory = {
  readonly similarFailures: SimilarFailures;
  /** Null where no embedding model is set. */
  readonly rankByMeaning: RankByMeaning | null;
};

/** Opens nothing until it is asked. */
export function escalationMemory(world: Omit<SearchingWorld, "keepsVectors">): EscalationMemory {
  const { settings, redactor, onNotice } = world;
  const name = settings.embedding_model;
  return {
    async similarFailures(query, limit, signal) {
      refuseUnfinished(world.path);
      const { searcher, close } = await openSearcher({ ...world, keepsVectors: false }, signal);
      try {
        return await similarFailures(searcher, query, limit, signal);
      } finally {
        close();
      }
    },
    rankByMeaning:
      name === null
        ? null
        : async (query, texts, signal) => {
            const embedder = guardedEmbedder(await openEmbedder(name, settings), redactor);
            const sending = sendingNotice(settings);
            if (sending !== null) onNotice(sending);
            const told = texts.map(({ path, text }) => `${path}\n${text}`);
            const ranked = await rankTexts(embedder, query, told, signal);
            if (ranked.ok) return ranked.scores;
            const asked = { name, baseUrl: embedder.baseUrl, flag: "--embedding-model" } as const;
            throw new Failed({ code: "model-failed", stage: "embedding", ...modelFailureWords(ranked.failure, asked) });
          },
  };
}

/** Opening a store that a killed writer left half written would undo its work, which is to write. */
function refuseUnfinished(path: string): void {
  if ((lstatSync(`${path}-journal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const message = "somebody writes it, or was stopped while writing";
  throw new Failed({ code: "io", message, where: path, next: "any cra recall puts it in order" });
}
