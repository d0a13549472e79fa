/** Asks a model server about itself: small JSON documents, within seconds. */
import type { BaseUrl } from "./base-url.ts";
import { startCall } from "./bounded-http.ts";
import type { ModelLimits } from "./limits.ts";
import type { ModelFailure } from "./model.ts";
import { parsedJson } from "./reply-lines.ts";

/** `value` is null when the document is no JSON. */
type Document = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly failure: ModelFailure };

/** Licences and templates of models are long. */
const BYTES_MAX = 4 * 1024 * 1024;
/** A server that is busy with a model still answers these at once. */
const SECONDS_MAX = 5;

type Asked = { readonly name: string; readonly baseUrl: BaseUrl; readonly limits: ModelLimits };

/** Gets the document at a path, or posts `body` to it. Throws nothing but the signal's reason. */
export async function askServer(
  { name, baseUrl, limits }: Asked,
  path: string,
  body: Readonly<Record<string, unknown>> | null,
  signal: AbortSignal,
): Promise<Document> {
  signal.throwIfAborted();
  const brief: ModelLimits = {
    ...limits,
    firstTokenSeconds: Math.min(SECONDS_MAX, limits.firstTokenSeconds),
    totalSeconds: Math.min(SECONDS_MAX, limits.totalSeconds),
  };
  using call = startCall(name, brief, signal, {
    bytesMax: BYTES_MAX,
    async *checked(pieces) {
      yield* pieces;
    },
  });
  try {
    const sent =
      body === null
        ? {}
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await call.fetch(`${baseUrl.url}${path}`, sent);
    return { ok: true, value: parsedJson(await response.text()) };
  } catch (error) {
    signal.throwIfAborted();
    if (call.failure === null) throw error;
    return { ok: false, failure: call.failure };
  }
}
