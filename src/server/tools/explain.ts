/** The tool `explain` of a server: it is given the task itself, since nothing is kept of a call. */
import type { ServedApp } from "../../app/serving/served-app.ts";
import { explainAnswer, what } from "../../mcp/tools/explain.ts";
import { type Call, tool } from "../../mcp/tools/tool.ts";
import { ExplainAnswer } from "../../present/answers.ts";
import { PackageFields, packageRequest } from "../package-request.ts";

const ExplainFields = PackageFields.extend({ what });

export const EXPLAIN = tool({
  name: "explain",
  title: "Explain a package",
  description:
    'Says why files and definitions are in the package of a task or not: rank, score with its parts, and the reason of each decision. Give it the arguments that you gave to retrieve. It shows no code. Example: {"task": "after a timeout, login redirects to the wrong page", "what": "src/auth.py"}.',
  writes: false,
  isIdempotent: true,
  less: "ask about one file or symbol with what",
  input: ExplainFields,
  output: ExplainAnswer,
  async answer({ what: thing, ...fields }, { app, limits, signal }: Call<ServedApp>) {
    const request = packageRequest(fields, app.config, { ...limits, format: "markdown" });
    const found = await app.explain(request, thing ?? null, signal);
    return explainAnswer(found, found.notices);
  },
});
