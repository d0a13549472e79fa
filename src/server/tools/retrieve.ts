/**
 * The tool `retrieve` of a server: every call stands for itself, so what `refine` asks for on a machine of one's own is asked for
 * together with the task.
 */
import type { ServedApp } from "../../app/serving/served-app.ts";
import { NOTHING_BEHIND } from "../../mcp/index-behind.ts";
import { packageAnswer, packageText } from "../../mcp/tools/package-round.ts";
import { type Call, tool } from "../../mcp/tools/tool.ts";
import { PackageAnswer } from "../../present/answers.ts";
import { PackageFields, packageRequest } from "../package-request.ts";

const AGAIN = "call retrieve with the same task and what was missing, accepted or rejected";

export const RETRIEVE = tool({
  name: "retrieve",
  title: "Retrieve code for a task",
  description:
    'Finds the code that a task needs and returns it as one package within a token budget: definitions to read or change, with types, tests and callers. Use it first, before you search or read files, for any fix, change, review or question about this repository. Not for one name (search) or a place that you know (read). If a package lacks something, call it again with the same task and missing_symbols, missing_files or rejected_files. Example: {"task": "after a timeout, login redirects to the wrong page"}.',
  writes: false,
  isIdempotent: true,
  less: "ask again with a smaller budget",
  input: PackageFields,
  output: PackageAnswer,
  async answer(fields, { app, limits, follow, signal }: Call<ServedApp>) {
    const request = packageRequest(fields, app.config, { ...limits, format: "markdown" });
    const result = await follow.run(app.retrieve(request, signal));
    return packageText(await packageAnswer(result, { behind: NOTHING_BEHIND }), AGAIN);
  },
});
