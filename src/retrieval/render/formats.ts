/**
 * The formats of a package, one row each. A new format is a file with its renderer and a row here.
 *
 * Settings, help, the terminal UI and the server read the rows at start-up, so a renderer is loaded when it is used.
 */
import type { Bundle, ContextPackage } from "../model/package-schema.ts";
import type { BundleLinks } from "./bundle.ts";
import type { Template } from "./prompt.ts";

/** What a renderer may use besides the package. */
export type RenderSource = {
  readonly template: Template;
  /** The task in one sentence. */
  readonly intent: string;
  /** Reads the index. */
  readonly links: () => BundleLinks;
};

/** Returns text, or a value to print as JSON. */
type Renderer = (pkg: ContextPackage, source: RenderSource) => string | ContextPackage | Bundle;

/** A renderer that needs nothing else. */
export type TextRenderer = (pkg: ContextPackage) => string;

type FormatRow = {
  /** The extension of files in this format, with its dot. */
  readonly extension: string;
  /** Its type over HTTP. */
  readonly mediaType: string;
} & (
  | { readonly hasOwnSize: false; load(): Promise<Renderer> }
  /**
   * Packing counts Markdown and prompt. JSON is for programs: what it shows of files is in them too, and the rest has no bound. Another text
   * can be longer, so it is counted too when it is asked for.
   */
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
