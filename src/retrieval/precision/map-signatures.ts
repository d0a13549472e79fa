/** The symbols of a map of the repository, each to be shown by its signature. */
import type { EdgeQueries, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { PlacedSymbol } from "../model/selection.ts";
import { mapSymbols } from "../scope/repository-map.ts";
import { RELEVANT_SHARE_MIN } from "./symbol-tiers.ts";

/** `symbols` are those of the files on the map, `fileIds` these files in their order. */
export const signaturesOfMap = (
  kb: Pick<EdgeQueries, "referencesTo">,
  symbols: readonly SymbolRow[],
  fileIds: readonly number[],
): readonly PlacedSymbol[] =>
  mapSymbols(kb, symbols, fileIds).map((symbol) => ({
    symbol,
    tier: "supporting",
    floor: false,
    score: RELEVANT_SHARE_MIN,
    why: "on the map of the repository",
    usedBy: [],
    requested: "signature",
  }));
