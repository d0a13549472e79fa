/** Parses the HTTP/1.1 requests that a stand-in server receives, and the fields that Ollama clients send. */

/** A request. `prompt` and `system` come from a chat or generation and are "" otherwise; `body` is the whole body. */
export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  /** The JSON Schema for structured output, null if there is none. */
  readonly format: unknown;
  readonly options: Readonly<Record<string, unknown>>;
  readonly stream: boolean;
};

type Head = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The lengths of the head and of the body after it. */
  readonly bytes: number;
  readonly bodyBytes: number;
};

/** The head at the start of the received bytes, null while it is incomplete. */
export function headOf(bytes: Buffer): Head | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { method, path: target, headers, bytes: end + 4, bodyBytes: Number(headers["content-length"] ?? 0) };
}

export function received({ method, path, headers }: Head, text: string): Received {
  const body: unknown = text === "" ? {} : JSON.parse(text);
  const fields = record(body);
  const messages = Array.isArray(fields.messages) ? fields.messages.map(record) : [];
  const contentOf = (role: string): string =>
    messages
      .filter((message) => message.role === role)
      .map((message) => String(message.content))
      .join("\n");
  return {
    method,
    path,
    headers,
    body,
    model: String(fields.model ?? ""),
    system: messages.length > 0 ? contentOf("system") : String(fields.system ?? ""),
    prompt: messages.length > 0 ? contentOf("user") : String(fields.prompt ?? ""),
    format: fields.format ?? null,
    options: record(fields.options),
    stream: fields.stream !== false,
  };
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
