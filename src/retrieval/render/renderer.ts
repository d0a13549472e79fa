/** The type of a renderer, which a file of this folder exports and a row of `formats.ts` loads. */
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
export type Renderer = (pkg: ContextPackage, source: RenderSource) => string | ContextPackage | Bundle;

/** A renderer that needs nothing else. */
export type TextRenderer = (pkg: ContextPackage) => string;
