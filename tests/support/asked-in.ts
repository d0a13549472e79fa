/** A repository in which a task was asked for: the interface starts sooner with one that it resumes. */
import { indexIn } from "./index-in.ts";
import { packageOf } from "./package.ts";
import { runHere } from "./run-here.ts";

/** Indexes a repository and retrieves for a task in it. Returns the task's id. */
export async function askedIn(repo: { readonly path: string }, task: string): Promise<string> {
  await indexIn(repo);
  const words = ["retrieve", task, "--json", "-q", "--tokenizer", "approximate"];
  return packageOf(await runHere(words, { cwd: repo.path })).task_id;
}
