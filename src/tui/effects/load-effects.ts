/** Effects that ask the worker for what a screen shows. */
import type { Action } from "../state/actions.ts";
import type { Effect } from "../state/effects.ts";
import type { WorkerClient } from "../worker/worker-client.ts";
import type { DraftStore } from "./draft-store.ts";

type LoadEffects = {
  home(): Promise<void>;
  resume(taskId: string): Promise<void>;
  rounds(taskId: string): Promise<void>;
  round(effect: Extract<Effect, { do: "look" }>): Promise<void>;
  preview(path: string): Promise<void>;
  outline(path: string): Promise<void>;
  /** Only the newest search counts. */
  find(effect: Extract<Effect, { do: "find" }>): Promise<void>;
};

export function loadEffects(
  worker: WorkerClient,
  drafts: Pick<DraftStore, "load">,
  send: (action: Action) => void,
): LoadEffects {
  let finds = 0;
  return {
    home: async () => send({ is: "home-loaded", ...(await worker.run("home", null)) }),
    async resume(prefix) {
      const { taskId, task, round } = await worker.run("resume", { taskId: prefix, round: null });
      send({ is: "resumed", taskId, task, round, draft: drafts.load(taskId) });
    },
    rounds: async (taskId) => send({ is: "rounds-loaded", rows: await worker.run("rounds", taskId) }),
    async round(asked) {
      const { round } = await worker.run("resume", asked);
      if (round !== null) send({ is: "round-loaded", round });
    },
    preview: async (path) => send({ is: "preview-loaded", preview: await worker.run("preview", path) }),
    outline: async (path) => send({ is: "outline-loaded", path, symbols: await worker.run("outline", path) }),
    async find({ query, limit }) {
      finds += 1;
      const own = finds;
      const found = await worker.run("find", { query, limit });
      if (own === finds) send({ is: "found", query, ...found });
    },
  };
}
