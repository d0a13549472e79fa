/** All rules, and the table by which their literals are found. */
import { CREDENTIAL_RULES } from "./credential-rules.ts";
import { type MarkerTable, markerTable } from "./marker-table.ts";
import { PRIVATE_KEY_RULES } from "./private-keys.ts";
import type { PatternRule, Rule } from "./rule.ts";
import { SHAPE_RULES } from "./shape-rules.ts";
import { TOKEN_RULES } from "./token-rules.ts";

export const PATTERN_RULES: readonly PatternRule[] = [...TOKEN_RULES, ...SHAPE_RULES, ...CREDENTIAL_RULES];
export const RULES: readonly Rule[] = [...PATTERN_RULES, ...PRIVATE_KEY_RULES];

/** Literals of what no rule finds, and spellings that count in base64, where the case of a letter matters. */
const ONLY_IN_BASE64 = ["://", "pat", "secretAcc", "SecretAcc", "ClearTextPassword"];

export const tableOfRules = (): MarkerTable => markerTable(RULES, ONLY_IN_BASE64);
