/** What is added to one file of an agent, in the format of the file. */
import { Failed } from "../failure.ts";
import type { Edit, Value } from "./edits/edit.ts";
import { addJson, type JsonPlace, jsonContent, removeJson } from "./edits/json.ts";
import { addMarkdown, removeMarkdown } from "./edits/markdown.ts";
import { addToml, removeToml, tomlContent } from "./edits/toml.ts";
import { addYaml, removeYaml, yamlContent } from "./edits/yaml.ts";

/** "whole": the file is cra's own, recognized by its first words. */
export type Piece =
  | { readonly kind: "json"; readonly place: JsonPlace; readonly value: Value }
  | { readonly kind: "toml"; readonly path: readonly string[]; readonly values: Readonly<Record<string, Value>> }
  | { readonly kind: "yaml"; readonly path: readonly [string, string]; readonly value: Value }
  | { readonly kind: "block"; readonly content: string }
  | { readonly kind: "whole"; readonly content: string; readonly begins: string };

/** The text with the piece. Throws an `io` failure for a text of another form. */
export function addPiece(text: string, piece: Piece): Edit {
  switch (piece.kind) {
    case "json":
      return addJson(text, piece.place, piece.value);
    case "toml":
      return addToml(text, piece.path, piece.values);
    case "yaml":
      return addYaml(text, piece.path, piece.value);
    case "block":
      return addMarkdown(text, piece.content);
    case "whole":
      if (text === piece.content) return { kind: "present" };
      if (text !== "" && !text.startsWith(piece.begins)) return { kind: "other" };
      return { kind: "changed", text: piece.content, inserted: [piece.content] };
  }
}

/** What a text in the format of a piece holds; undefined for one without a structure, or a broken one. */
export function contentOf(text: string, { kind }: Piece): unknown {
  try {
    switch (kind) {
      case "json":
        return jsonContent(text);
      case "toml":
        return tomlContent(text);
      case "yaml":
        return yamlContent(text) ?? {};
      default:
        return;
    }
  } catch (error) {
    if (error instanceof Failed) return;
    throw error;
  }
}

/** The text without the piece; null if nothing of the file is left, and the same text if the piece is not there. */
export function removePiece(text: string, piece: Piece): string | null {
  switch (piece.kind) {
    case "json":
      return removeJson(text, piece.place);
    case "toml":
      return removeToml(text, piece.path);
    case "yaml":
      return removeYaml(text, piece.path);
    case "block":
      return removeMarkdown(text);
    case "whole":
      return text.startsWith(piece.begins) ? null : text;
  }
}
