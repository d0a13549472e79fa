/** Whether the rows of a file in an index that came from elsewhere are those that its facts make. */
import type { FileFacts } from "../../../syntax/facts/facts.ts";
import type { Db } from "../../sqlite/db.ts";

/** What is known here of the content of a file, with which its rows have to agree. */
export type KnownFile = {
  readonly facts: FileFacts;
  readonly stats: Uint8Array;
  readonly text: string;
  readonly interfaceHash: string;
  /** See `files.secret_free_by`. */
  readonly secretFreeBy: string | null;
};

/** The row of a file in `files`, as far as it follows from the content. */
export type SaidFile = {
  readonly id: number;
  readonly lines: number;
  readonly tokens: number;
  readonly problem: string | null;
  readonly interfaceHash: string;
};

/** Compares the row in `files`, then those of definitions, documentation and comments. */
export function saysSame(db: Db, said: SaidFile, { facts, interfaceHash }: KnownFile): boolean {
  const { id, lines, tokens, problem } = said;
  if (lines !== facts.lineCount || tokens !== facts.tokenCount) return false;
  if (problem !== facts.problem || said.interfaceHash !== interfaceHash) return false;
  const symbols = db.all<{ id: number; parent: number | null }>(
    `select id, name, qualified_name as qualifiedName, kind, start_line as startLine, end_line as endLine, doc_line as docLine,
       name_line as nameLine, signature, signature_tokens as signatureTokens, body_tokens as bodyTokens, parent_id as parent,
       exported from symbols where file_id = ?1 order by id`,
    id,
  );
  const idAt = (index: number | null): number | null => (index === null ? null : (symbols[index]?.id ?? -1));
  const wanted = facts.symbols.map(({ doc: _, exported, parent, ...symbol }, index) => ({
    ...symbol,
    id: idAt(index),
    parent: idAt(parent),
    exported: exported ? 1 : 0,
  }));
  if (!Bun.deepEquals(symbols, wanted)) return false;
  const docs = facts.symbols.flatMap(({ doc }, index) => (doc ? [{ symbol: idAt(index), ...doc }] : []));
  const allDocs = facts.doc ? [{ symbol: null, ...facts.doc }, ...docs] : docs;
  const storedDocs = db.all(
    "select symbol_id as symbol, content, format from docstrings where file_id = ?1 order by rowid",
    id,
  );
  if (!Bun.deepEquals(storedDocs, allDocs)) return false;
  const comments = facts.comments.map(({ symbol, line, content, kind, isRationale }) => ({
    symbol: idAt(symbol),
    line,
    content,
    kind,
    isRationale: isRationale ? 1 : 0,
  }));
  const storedComments = db.all(
    `select symbol_id as symbol, line, content, kind, is_rationale as isRationale from comments where file_id = ?1 order by rowid`,
    id,
  );
  return Bun.deepEquals(storedComments, comments);
}
