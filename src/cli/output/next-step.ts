/** What a person may run after a notice. Agents read the same sentences, and have no shell for it. */
import type { App } from "../../app/app.ts";

/** The end of the line that tells a notice; empty for most. Each of several repositories is indexed where it is. */
export function nextStep(code: string, app: Pick<App, "config">): string {
  if (code !== "provisional") return "";
  const isSeveral = app.config.settings["workspace.repos"].length > 0;
  return isSeveral ? "; run cra index there" : "; cra index makes one";
}
