/** Which names of a host are this machine, whatever a name service says. */

/**
 * Whether a host is a loopback address or `localhost`; an IPv6 address may stand in brackets. A name service may answer anything for other
 * names, and 0.0.0.0 is an address to listen on.
 */
export const isLoopback = (host: string): boolean =>
  host === "localhost" ||
  host === "::1" ||
  host === "[::1]" ||
  /^127(?:\.\d{1,3}){3}$/.test(host) ||
  // An IPv4 address mapped into IPv6, as `URL` writes it: 7f is 127.
  /^(?:\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]|::ffff:7f[\da-f]{2}:[\da-f]{1,4})$/.test(host);
