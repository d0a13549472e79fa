/**
 * The default and maximum size of answers, which current clients accept without a warning.
 *
 * Claude Code warns above 10,000 tokens and hides what exceeds 25,000 from its model. Its tokenizer counts up to twice as many
 * for code; other clients are no stricter. So the default is a good half of the first, and the maximum half of the second.
 */
import type { Limits } from "./tools/tool.ts";

export const LIMITS: Limits = { budgetDefault: 6_000, budgetMax: 12_000 };
