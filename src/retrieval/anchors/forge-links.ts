/** Finds the file and line that a link to a code host leads to. */
import { percentDecoded } from "../../text/percent.ts";

/** `path` may begin with folders of the link that are no part of it, as those of a branch with a slash in its name. */
type LinkedPlace = { readonly path: string; readonly line: number | null };

const FOLDERS: readonly string[] = [
  // GitHub, GitLab, Gitea, Bitbucket's cloud.
  String.raw`\/(?:blob|tree|blame|raw|edit|src)\/[^/]{1,200}\/`,
  String.raw`\/\/raw\.githubusercontent\.com\/[^/]{1,200}\/[^/]{1,200}(?:\/refs\/(?:heads|tags))?\/[^/]{1,200}\/`,
  // Bitbucket's server; Gitiles and the code search above it.
  String.raw`\/browse\/`,
  String.raw`\/\+\/[^/:]{1,200}[/:]`,
];
const LINK = new RegExp(
  String.raw`(?:${FOLDERS.join("|")})([^#?;\s]{1,1000})(?:;l=(\d{1,9})|[^#\s]{0,300}#(?:L|lines-)?(\d{1,9}))?`,
);
/** Azure has the path and the line among the parameters, in any order. */
const AZURE_PATH = /\/_git\/[^?\s]{1,300}\?(?:[^#\s]{0,300}&)?path=([^&#\s]{1,1000})/;
const AZURE_LINE = /[?&]line=(\d{1,9})/;

/** The place that an address leads to, or null for one of something else. */
export function linkedPlace(url: string): LinkedPlace | null {
  const azure = AZURE_PATH.exec(url)?.[1];
  const [, other, search, anchor] = azure === undefined ? (LINK.exec(url) ?? []) : [];
  const path = azure ?? other;
  if (path === undefined) return null;
  const line = azure === undefined ? (search ?? anchor) : AZURE_LINE.exec(url)?.[1];
  return { path: percentDecoded(path), line: line === undefined ? null : Number(line) };
}
