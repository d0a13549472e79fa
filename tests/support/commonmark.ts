/**
 * What a Markdown text shows, as a CommonMark parser sees it that knows nothing of what rendered it.
 */
import { fromMarkdown } from "mdast-util-from-markdown";

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number];

/** The blocks of a document: each its kind (headings with their depth), and the text that it shows. */
export type Block = { readonly kind: string; readonly text: string };

export function blocksOf(markdown: string): readonly Block[] {
  return fromMarkdown(markdown).children.map((node) => ({
    kind: node.type === "heading" ? `heading ${node.depth}` : node.type,
    text: shown(node),
  }));
}

/** Every kind of node in a document, each once. */
export function kindsOf(markdown: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  const visit = (node: Node): void => {
    kinds.add(node.type);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(fromMarkdown(markdown));
  return kinds;
}

/** The characters that are left when everything that acts has acted. */
function shown(node: Node): string {
  if (node.type === "inlineCode") return `\`${node.value}\``;
  if (node.type === "break") return "\n";
  if ("value" in node) return node.value;
  if (!("children" in node)) return "";
  return node.children.map(shown).join(node.type === "list" || node.type === "listItem" ? "\n" : "");
}
