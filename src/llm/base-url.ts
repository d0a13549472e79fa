/**
 * Reads the address of a model server as a user types it.
 *
 * A `BaseUrl` is http or https and has no credentials, query, fragment or trailing slash, so it can be shown and recorded.
 */
import { display } from "../text/display.ts";
import { isLoopback } from "../text/loopback.ts";

/** `url` has no trailing slash; `host` is a name, an IPv4 address, or an IPv6 address in brackets, without the port. */
export type BaseUrl = { readonly url: string; readonly host: string; readonly loopback: boolean };

type BaseUrlReading =
  | { readonly ok: true; readonly baseUrl: BaseUrl }
  /** `why` is one line that does not repeat the address; `next` says what to type. */
  | { readonly ok: false; readonly why: string; readonly next: string };

export const BASE_URL_DEFAULT = "http://127.0.0.1:11434";

const LENGTH_MAX = 2000;

/** Reads an address. Never throws. */
export function readBaseUrl(typed: string): BaseUrlReading {
  const text = typed.trim();
  if (text === "") return refused("is empty");
  if (text.length > LENGTH_MAX) return refused(`is longer than ${LENGTH_MAX} characters`);
  if (display(text) !== text || /[\s\\]/.test(text)) return refused("contains characters that a URL cannot have");
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return refused("does not begin with http:// or https://");
  if (!URL.canParse(text)) return refused("is not a valid URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return refused("is neither http:// nor https://");
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/]*@/.test(text)) {
    return refused("contains a user name or password");
  }
  if (/[?#]/.test(text)) return refused('has a "?" or "#" part');
  if (url.port === "0") return refused("has port 0");
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  return {
    ok: true,
    baseUrl: { url: `${url.protocol}//${url.host}${path}`, host: url.hostname, loopback: isLoopback(url.hostname) },
  };
}

const refused = (why: string): BaseUrlReading => ({ ok: false, why, next: `give a URL like ${BASE_URL_DEFAULT}` });
