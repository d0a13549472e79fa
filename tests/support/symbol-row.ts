/** Symbol and reference rows as the index returns them; the id determines the line. */
import type { ReferenceRow, SymbolRow } from "../../src/db/curated/knowledge-base.ts";

export const symbolRow = (
  id: number,
  fileId: number,
  name: string,
  kind = "function",
  more: Partial<SymbolRow> = {},
): SymbolRow => ({
  id,
  fileId,
  name,
  qualifiedName: name,
  kind,
  startLine: id,
  endLine: id,
  docLine: id,
  nameLine: id,
  signature: name,
  signatureTokens: 1,
  bodyTokens: 1,
  parentId: null,
  exported: true,
  ...more,
});

export const callRow = (caller: number, callee: number, confidence = 0.9, kind = "call"): ReferenceRow => ({
  caller,
  callee,
  kind,
  confidence,
});
