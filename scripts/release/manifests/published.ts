/** What a manifest says of a published file: its address and checksum. */
import { createHash } from "node:crypto";
import type { Archive } from "../archives.ts";
import type { Identity } from "../identity.ts";

export type Published = { readonly name: string; readonly url: string; readonly sha256: string };

/** A text file of the release; `path` may have a folder. */
export type Manifest = { readonly path: string; readonly text: string };

export function published({ name, bytes }: Archive, { url }: Identity): Published {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { name, url: `${url}/${encodeURIComponent(name)}`, sha256 };
}
