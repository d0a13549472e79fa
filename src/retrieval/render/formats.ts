/**
 * The formats of a package, one row each. A new format is a file with its renderer (`renderer.ts`) and a row here.
 *
 * Settings, help, the terminal UI and the server read the rows at start-up, so a renderer is loaded when it is used.
 */
import type { Renderer, TextRenderer } from "./renderer.ts";

/**
 * `hasOwnSize`: packing counts this text too when it is asked for, because it can be longer than Markdown and the prompt, which packing always
 * counts. JSON is for programs: it shows the code that those show, and nothing bounds the rest of it.
 */
type FormatRow = {
  /** The extension of files in this format, with its dot. */
  readonly extension: string;
  /** Its type over HTTP. */
  readonly mediaType: string;
} & (
  | { readonly hasOwnSize: false; load(): Promise<Renderer> }
  | { readonly hasOwnSize: true; load(): Promise<TextRenderer> }
);

export const FORMATS = {
  markdown: {
    extension: ".md",
    mediaType: "text/markdown; charset=utf-8",
    hasOwnSize: false,
    load: async () => (await import("./markdown.ts")).renderMarkdown,
  },
  prompt: {
    extension: ".txt",
    mediaType: "text/plain; charset=utf-8",
    hasOwnSize: false,
    load: async () => (await import("./prompt.ts")).renderPrompt,
  },
  json: {
    extension: ".json",
    mediaType: "application/json",
    hasOwnSize: false,
    load: async () => (await import("./json.ts")).renderJson,
  },
  bundle: {
    extension: ".json",
    mediaType: "application/json",
    hasOwnSize: false,
    load: async () => (await import("./bundle.ts")).renderBundle,
  },
  xml: {
    extension: ".xml",
    mediaType: "application/xml",
    hasOwnSize: true,
    load: async () => (await import("./xml.ts")).renderXml,
  },
} as const satisfies Readonly<Record<string, FormatRow>>;

export type Format = keyof typeof FORMATS;

const isFormat = (name: string): name is Format => Object.hasOwn(FORMATS, name);
export const FORMAT_NAMES = Object.keys(FORMATS).filter(isFormat);
