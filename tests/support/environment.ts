/** What the app knows about its process in a test. */
import type { Environment } from "../../src/app/workspace/environment.ts";

/** This process on one processor, with an empty environment but for the home folder. */
export const environmentIn = (cwd: string, variables: Environment["variables"] = { HOME: cwd }): Environment => ({
  cwd,
  variables,
  uid: process.getuid?.() ?? null,
  processors: 1,
  pid: process.pid,
  host: "here",
  program: [],
});
