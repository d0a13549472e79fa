/** Files by what they hold: the unit that a model is asked about, answered on and remembered. */
import type { Material } from "./material.ts";

/** A path, and the hash of the bytes it had. */
export type Content = { readonly path: string; readonly contentHash: string };

/** Each content with its material, null where there is none any more; read in groups, each when its turn comes. */
export function* fromContents(
  contents: readonly Content[],
  perRead: number,
  read: (contents: readonly Content[]) => readonly Material[],
): Generator<{ readonly content: Content; readonly material: Material | null }> {
  for (let at = 0; at < contents.length; at += perRead) {
    const group = contents.slice(at, at + perRead);
    const found = new Map(read(group).map((material) => [material.path, material]));
    for (const content of group) yield { content, material: found.get(content.path) ?? null };
  }
}
