/**
 * How large answers are where nobody says: what the clients of today take without a warning, and at most.
 *
 * Claude Code warns above 10,000 tokens and keeps 25,000 from its model, in a tokenizer that counts up to twice as many
 * of code; other clients are no stricter. So a package has a good half of the first by default, and half of the second.
 */
import type { Limits } from "./tools/tool.ts";

export const LIMITS: Limits = { budgetDefault: 6_000, budgetMax: 12_000 };
