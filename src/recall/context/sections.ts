/**
 * Items as one Markdown text: a title, a section for each kind that has items, a closing line. Pure.
 */

export type Section = { readonly title: string; readonly items: readonly string[] };

/** Sections without items are left out; without any item there is no text. */
export function renderSections(title: string, sections: readonly Section[], closing: string): string {
  const filled = sections.filter(({ items }) => items.length > 0);
  if (filled.length === 0) return "";
  return `${[
    `# ${title}`,
    ...filled.flatMap((section) => [`## ${section.title}\n${section.items[0] ?? ""}`, ...section.items.slice(1)]),
    `---\n*${closing}*`,
  ].join("\n\n")}\n`;
}
