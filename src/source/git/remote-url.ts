/**
 * A remote's address as it may be kept: where the repository lives, without anything secret.
 */

/**
 * The address without user, password, query and fragment (`ssh` and `user@host:path` keep the user: it
 * is a login name, not a secret). Null for paths on this machine, which would name its folders.
 */
export function publicRemoteUrl(url: string): string | null {
  const withScheme = /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#]*)@)?([^/?#@]+)([^?#]*)/i.exec(url.trim());
  if (withScheme !== null) {
    const [, scheme = "", user, host = "", path = ""] = withScheme;
    if (scheme.toLowerCase() === "file") return null;
    const login = /(^|\+)ssh(\+|$)/i.test(scheme) ? user?.split(":", 1)[0] : undefined;
    return `${scheme}://${login ? `${login}@` : ""}${host}${path}`;
  }
  const scpLike = /^(?:([^/@:]+)@)?([^/@:]{2,}):(?!\/\/)(.+)$/.exec(url.trim());
  if (scpLike === null) return null;
  const [, user, host = "", path = ""] = scpLike;
  return `${user === undefined ? "" : `${user}@`}${host}:${path}`;
}

/** Of named remotes (`origin` first, else the first name), the address that may be kept. */
export function chooseRemoteUrl(remotes: readonly { readonly name: string; readonly url: string }[]): string | null {
  const chosen =
    remotes.find((remote) => remote.name === "origin") ??
    remotes.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))[0];
  return chosen === undefined ? null : publicRemoteUrl(chosen.url);
}
