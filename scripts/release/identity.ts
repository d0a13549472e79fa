/** What a release is: version, commit, date, and where it is going to be published. */

/** `madeAt` is the commit's date, so that the same commit gives the same bytes. `url` has no slash at its end. */
export type Identity = {
  readonly version: string;
  readonly commit: string | null;
  readonly madeAt: Date;
  readonly url: string;
  /** The scope of the npm packages with its `@`, null for none. */
  readonly scope: string | null;
};

/** Where manifests point to unless `--url` says otherwise: a server of the release folder on the same machine. */
export const LOCAL_URL = "http://localhost:8000";

export const SUMMARY =
  "Finds the smallest set of code for a task within a token budget, with a reason for every piece.";
export const LICENCE = "MIT";
export const AUTHOR = "The cra contributors";

/** The host of the address with its parts turned around, as registries name publishers: `com.example`. */
export function namespaceOf({ url }: Identity): string {
  const { hostname, pathname } = new URL(url);
  const owner = hostname === "github.com" ? pathname.split("/")[1] : undefined;
  return owner === undefined ? hostname.split(".").reverse().join(".") : `io.github.${owner}`;
}

/** A contact for packages that must name one. */
export const maintainerOf = ({ url }: Identity): string => `${AUTHOR} <noreply@${new URL(url).hostname}>`;

/** The version as packages of systems write it: `~` sorts a development version before its release. */
export const systemVersion = ({ version }: Identity): string => version.replace("-", "~");
