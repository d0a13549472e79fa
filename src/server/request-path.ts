/**
 * Finds the path that a request asks for.
 *
 * Bun names requests by their host and target. Before HTTP/1.1 a request need not name a host, and then its target stands alone.
 */

/** `url` as Bun gives it. Empty for what is no target. */
export function requestPath(url: string): string {
  // Resolved against a base, `//other/healthz` would be a path of another host.
  const absolute = url.startsWith("/") ? `http://host${url}` : url;
  // A fragment is not sent.
  return absolute.includes("#") || !URL.canParse(absolute) ? "" : new URL(absolute).pathname;
}
