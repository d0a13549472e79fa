/** Reads the requests that a stand-in server gets: HTTP/1.1 with a length, and what Ollama's clients say in them. */

/** A request. `prompt` and `system` are what a chat or a generation says, "" elsewhere; `body` is all of it. */
export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  /** The JSON Schema of the structured output, null when there is none. */
  readonly format: unknown;
  readonly options: Readonly<Record<string, unknown>>;
  readonly stream: boolean;
};

type Head = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the head itself, and of the body behind it. */
  readonly bytes: number;
  readonly bodyBytes: number;
};

/** The head at the start of what has arrived, null while it is not all there. */
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
  const said = (role: string): string =>
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
    system: messages.length > 0 ? said("system") : String(fields.system ?? ""),
    prompt: messages.length > 0 ? said("user") : String(fields.prompt ?? ""),
    format: fields.format ?? null,
    options: record(fields.options),
    stream: fields.stream !== false,
  };
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
