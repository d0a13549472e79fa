/** The visible content of a Markdown text according to an independent CommonMark parser. */
import { fromMarkdown } from "mdast-util-from-markdown";

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number];

/** A block of a document: its kind (headings with their depth) and its visible text. */
export type Block = { readonly kind: string; readonly text: string };

export function blocksOf(markdown: string): readonly Block[] {
  return fromMarkdown(markdown).children.map((node) => ({
    kind: node.type === "heading" ? `heading ${node.depth}` : node.type,
    text: shown(node),
  }));
}

/** The kinds of all nodes in a document. */
export function kindsOf(markdown: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  const visit = (node: Node): void => {
    kinds.add(node.type);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(fromMarkdown(markdown));
  return kinds;
}

/** The visible text of a node, without markup. */
function shown(node: Node): string {
  if (node.type === "inlineCode") return `\`${node.value}\``;
  if (node.type === "break") return "\n";
  if ("value" in node) return node.value;
  if (!("children" in node)) return "";
  return node.children.map(shown).join(node.type === "list" || node.type === "listItem" ? "\n" : "");
}
