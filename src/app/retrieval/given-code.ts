/** What code the prompts of agents' sessions were given, so that later prompts need not repeat it. */
import { z } from "zod";
import { openGivenCode } from "../../db/session/given-code.ts";
import { Failed } from "../../failure.ts";
import { ShownItem } from "../../retrieval/model/changes.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { GivenParts } from "./answer-text.ts";

export type GivenCode = {
  /** The context of a session begins anew. Throws `io`. */
  begin(session: string): void;
  /** Null for a session that did not begin: nobody would tell when its context is shortened. */
  read(session: string): GivenParts | null;
  /** Throws `io`. */
  write(session: string, parts: GivenParts): void;
};

export function givenCode({ paths, createDataFolder }: Pick<Workspace, "paths" | "createDataFolder">): GivenCode {
  const stored = openGivenCode(paths.sessions, createDataFolder);
  const saved = (save: () => void): void => {
    try {
      save();
    } catch (error) {
      if (error instanceof Failed) throw error;
      const message = `what the session was given cannot be saved: ${systemErrorWords(error)}`;
      throw new Failed({ code: "io", message, where: paths.sessions }, { cause: error });
    }
  };
  return {
    begin: (session) => saved(() => stored.begin(session)),
    read: (session) => z.array(ShownItem).safeParse(stored.read(session)).data ?? null,
    write: (session, parts) => saved(() => stored.write(session, parts)),
  };
}
