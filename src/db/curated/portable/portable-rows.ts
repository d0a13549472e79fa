/** Whether the rows of a file in an index that came from elsewhere are those that its facts make. */
import type { FileFacts } from "../../../syntax/facts/facts.ts";
import type { Db } from "../../sqlite/db.ts";

/** What the rows of a file have to say. `packedText` is the text as the parse cache packs it. */
export type KnownFile = {
  readonly facts: FileFacts;
  readonly stats: Uint8Array;
  readonly packedText: Uint8Array;
  readonly interfaceHash: string;
  /** See `files.secret_free_by`. */
  readonly secretFreeBy: string | null;
};

/** Whether the rows of a file are those that its facts make. */
export function saysSame(db: Db, id: number, { facts, interfaceHash }: KnownFile): boolean {
  const file = db.get(
    `select line_count as lines, token_count as tokens, parse_problem as problem, interface_hash as hash from files where id = ?1`,
    id,
  );
  if (
    !Bun.deepEquals(file, {
      lines: facts.lineCount,
      tokens: facts.tokenCount,
      problem: facts.problem,
      hash: interfaceHash,
    })
  )
    return false;
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
