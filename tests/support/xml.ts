/** Parses XML strictly and returns its leaf elements with their text, or throws a description of the error. */
import { SaxesParser } from "saxes";

export type Leaf = { readonly name: string; readonly text: string };

/** All elements without child elements, in order. Throws if the text is not well-formed. */
export function parsedXml(text: string): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const open: { name: string; text: string; isLeaf: boolean }[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    const parent = open.at(-1);
    if (parent !== undefined) parent.isLeaf = false;
    open.push({ name, text: "", isLeaf: true });
  });
  const add = (part: string): void => {
    const at = open.at(-1);
    if (at !== undefined) at.text += part;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed?.isLeaf) leaves.push({ name: closed.name, text: closed.text });
  });
  parser.write(text).close();
  return leaves;
}
