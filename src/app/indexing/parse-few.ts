/** Parses the first few texts on the calling thread, so that a command that parses only few starts no thread. */
import { areFew } from "../../indexing/update/small-run.ts";
import { parseHere } from "../../syntax/parse/parse-here.ts";
import type { ParsePool } from "../../syntax/parse/parse-pool.ts";

/** Gives the pool what comes after the first few texts, and what is much work. */
export function parseFew(pool: Pick<ParsePool, "parse">): Pick<ParsePool, "parse"> {
  let [texts, chars] = [0, 0];
  return {
    async parse(job, signal) {
      signal?.throwIfAborted();
      texts += 1;
      chars += job.text.length;
      const here = areFew(texts, chars) ? await parseHere(job.text, job.language) : null;
      return here ?? (await pool.parse(job, signal));
    },
  };
}
