/** The contract of facts as a schema, which rejects what the types cannot: lines below 1, negative counts, fields too many. */
import { z } from "zod";
import {
  COMMENT_KINDS,
  DOC_FORMATS,
  type FileFacts,
  IMPORT_KINDS,
  REFERENCE_KINDS,
} from "../../src/syntax/facts/facts.ts";
import { SYMBOL_KINDS } from "../../src/text/terms/segments.ts";

const line = z.int().positive();
const count = z.int().nonnegative();
const doc = z.strictObject({ content: z.string(), format: z.enum(DOC_FORMATS) }).nullable();

export const FACTS: z.ZodType<FileFacts> = z.strictObject({
  parsed: z.boolean(),
  problem: z.string().nullable(),
  lineCount: count,
  namespace: z.string().nullable(),
  tokenCount: count,
  doc,
  symbols: z.array(
    z.strictObject({
      name: z.string(),
      qualifiedName: z.string(),
      kind: z.enum(SYMBOL_KINDS),
      startLine: line,
      endLine: line,
      docLine: line,
      nameLine: line,
      signature: z.string(),
      signatureTokens: count,
      bodyTokens: count,
      parent: count.nullable(),
      exported: z.boolean(),
      doc,
    }),
  ),
  comments: z.array(
    z.strictObject({
      line,
      endLine: line,
      content: z.string(),
      kind: z.enum(COMMENT_KINDS),
      isRationale: z.boolean(),
      symbol: count.nullable(),
    }),
  ),
  imports: z.array(
    z.strictObject({
      specifier: z.string(),
      line,
      kind: z.enum(IMPORT_KINDS),
      names: z.array(z.strictObject({ name: z.string(), alias: z.string().nullable() })),
      star: z.boolean(),
    }),
  ),
  references: z.array(
    z.strictObject({
      name: z.string(),
      qualifier: z.string().nullable(),
      kind: z.enum(REFERENCE_KINDS),
      line,
      symbol: count.nullable(),
    }),
  ),
  exportedAs: z.record(z.string(), z.string()),
  commentLines: z.array(z.strictObject({ line, endLine: line })),
});
