/** A server that speaks OpenAI's form of chat, on a local port. */

/** A request to complete a chat. */
export type Completion = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};

/** The events of a streamed reply, each the data after `data: `; or a whole response. */
export type CompletionReply = (request: Completion) => readonly string[] | Response;

/** One piece of a reply, and its end. */
export const delta = (content: string): string => JSON.stringify({ choices: [{ delta: { content } }] });
export const stop = (reason = "stop"): string => JSON.stringify({ choices: [{ delta: {}, finish_reason: reason }] });
export const usage = (prompt: number, completion: number): string =>
  JSON.stringify({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } });

/** A reply that says this text. */
export const saying = (text: string): readonly string[] => [
  delta(text.slice(0, 3)),
  delta(text.slice(3)),
  stop(),
  usage(11, 7),
  "[DONE]",
];

/** What a server says of a path that it does not know, and of any path while it loads its model. */
type Refusal = { readonly status: number; readonly error: Readonly<Record<string, unknown>> };

/** As llama.cpp's server of 2026 says it. */
export const LLAMA_UNKNOWN: Refusal = {
  status: 404,
  error: { message: "File Not Found", type: "not_found_error", code: 404 },
};
export const LLAMA_LOADING: Refusal = {
  status: 503,
  error: { message: "Loading model", type: "unavailable_error", code: 503 },
};

const refused = ({ status, error }: Refusal): Response => Response.json({ error }, { status });

/** What llama.cpp's server of 2025 answered to `/api/show`; it knew no other path of Ollama but a chat in OpenAI's form. */
export const LLAMA_SHOWN: Readonly<Record<string, unknown>> = {
  template: "{{ .Prompt }}",
  model_info: { "llama.context_length": 4_096 },
  modelfile: "",
  parameters: "",
  details: { parent_model: "", format: "gguf", family: "", families: [""], parameter_size: "", quantization_level: "" },
  capabilities: ["completion"],
};

/**
 * Starts a server; disposing closes it. `models` is what `/v1/models` lists; the first `loading` requests find it loading
 * its model; `build` is what llama.cpp's server says of itself; `shown` is its answer to `/api/show`. While it is `paused`, a path gets no answer.
 */
export function startOpenAi(
  reply: CompletionReply,
  models: readonly Readonly<Record<string, unknown>>[],
  {
    unknown,
    loading = 0,
    build,
    shown,
    paused = () => false,
  }: {
    readonly unknown?: Refusal;
    readonly loading?: number;
    readonly build?: string;
    readonly shown?: Readonly<Record<string, unknown>>;
    readonly paused?: (path: string) => boolean;
  } = {},
) {
  const completions: Completion[] = [];
  const paths: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const path = new URL(request.url).pathname;
      paths.push(path);
      if (paused(path)) return await new Promise<never>(() => {});
      if (paths.length <= loading) return refused(LLAMA_LOADING);
      if (path.endsWith("/v1/models")) return Response.json({ object: "list", data: models });
      if (path === "/props" && build !== undefined) return Response.json({ total_slots: 1, build_info: build });
      if (path === "/api/show" && shown !== undefined) return Response.json(shown);
      if (!path.endsWith("/v1/chat/completions"))
        return refused(
          unknown ?? {
            status: path.endsWith("/api/show") ? 400 : 404,
            error: { message: `Unexpected endpoint ${path}` },
          },
        );
      const completion = {
        path,
        headers: Object.fromEntries(request.headers),
        body: Object.fromEntries(Object.entries((await request.json()) as object)),
      };
      completions.push(completion);
      const answer = reply(completion);
      if (answer instanceof Response) return answer;
      return new Response(answer.map((data) => `data: ${data}\n\n`).join(""), {
        headers: { "content-type": "text/event-stream" },
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    completions,
    paths,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
}
