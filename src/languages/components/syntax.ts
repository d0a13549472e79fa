/**
 * Reads the script blocks of a markup file (Vue, Svelte, Astro), and the components that it uses.
 *
 * Parses like HTML: a script or style ends at the next closing tag of its kind; comments and quoted values contain no
 * tags. A block without inline content (`src="..."`) or in an unknown language is ignored. One pass, linear in the text.
 */
import type { ComponentUse, Embedding } from "../syntax.ts";

const TAG = /<!--|<([A-Za-z][\w.:-]*)/g;
/** One attribute, or the end of the tag. */
const ATTRIBUTE = /[\s/]*(?:(>)|([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?|["'=])/y;

const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ["", "javascript"],
  ["js", "javascript"],
  ["javascript", "javascript"],
  ["jsx", "javascript"],
  ["ts", "typescript"],
  ["typescript", "typescript"],
  ["tsx", "tsx"],
]);
const SCRIPT_TYPES = /^(?:module|(?:text|application)\/(?:java|type|ecma)script)?$/i;

export const COMPONENTS: Embedding = { read: (text) => read(text, null) };

/** A file of Astro may begin with TypeScript between two lines of dashes. */
export const COMPONENTS_BELOW_FENCE: Embedding = { read: (text) => read(text, fencedBlock(text)) };

type Block = { readonly start: number; readonly end: number; readonly language: string };

const FENCE = /^[ \t]*---[^\n]*(?:\n|$)/gm;

function fencedBlock(text: string): Block | null {
  const [open, close] = text.matchAll(FENCE);
  if (open === undefined || close === undefined || text.slice(0, open.index).trim() !== "") return null;
  return { start: open.index + open[0].length, end: close.index, language: "typescript" };
}

/** The scripts of a file as one text, and the tags that are not HTML elements. `first` is a script before all markup. */
function read(text: string, first: Block | null): ReturnType<Embedding["read"]> {
  const components: ComponentUse[] = [];
  const blocks: Block[] = first === null ? [] : [first];
  for (let at = first?.end ?? 0; ; ) {
    TAG.lastIndex = at;
    const tag = TAG.exec(text);
    if (tag === null) break;
    const name = tag[1];
    if (name === undefined) {
      const end = text.indexOf("-->", tag.index + 4);
      if (end === -1) break;
      at = end + 3;
      continue;
    }
    const opening = readAttributes(text, TAG.lastIndex);
    at = opening.end;
    const kind = name.toLowerCase();
    if (kind === "script" || kind === "style") {
      if (!opening.hasContent) continue;
      const end = closingTag(text, kind, at);
      const language = kind === "script" ? languageOf(opening.attributes) : undefined;
      if (language !== undefined) blocks.push({ start: at, end, language });
      at = end;
    } else if (/[A-Z.-]/.test(name)) components.push({ name, start: tag.index + 1 });
  }
  if (blocks.length === 0) return { script: null, components };
  let script = "";
  let copied = 0;
  for (const { start, end } of blocks) {
    script += blank(text.slice(copied, start)) + text.slice(start, end);
    copied = end;
  }
  const languages = new Set(blocks.map(({ language }) => language));
  const language = ["tsx", "typescript"].find((each) => languages.has(each)) ?? "javascript";
  return { script: { text: script + blank(text.slice(copied)), language }, components };
}

type Opening = { readonly attributes: ReadonlyMap<string, string>; readonly hasContent: boolean; readonly end: number };

/** Reads to the end of a tag. If something is not an attribute, the tag ends before it. */
function readAttributes(text: string, from: number): Opening {
  const attributes = new Map<string, string>();
  for (let at = from; ; ) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (found === null) return { attributes, hasContent: false, end: at };
    at = ATTRIBUTE.lastIndex;
    const [written, end, name, ...values] = found;
    if (end !== undefined) return { attributes, hasContent: !written.endsWith("/>"), end: at };
    if (name !== undefined) attributes.set(name.toLowerCase(), values.find((value) => value !== undefined) ?? "");
  }
}

/** The end of a block's content. */
function closingTag(text: string, kind: "script" | "style", from: number): number {
  const closing = kind === "script" ? /<\/script(?=[\s/>]|$)/gi : /<\/style(?=[\s/>]|$)/gi;
  closing.lastIndex = from;
  return closing.exec(text)?.index ?? text.length;
}

function languageOf(attributes: Opening["attributes"]): string | undefined {
  if (attributes.has("src")) return undefined;
  const type = attributes.get("type") ?? "";
  if (!SCRIPT_TYPES.test(type)) return undefined;
  const lang = attributes.get("lang") ?? (/typescript/i.test(type) ? "ts" : "");
  return LANGUAGES.get(lang.toLowerCase());
}

const blank = (text: string): string => text.replace(/[^\n]/g, " ");
