/** The option that sets a configuration key: its name and help come from the row of the key. */
import { type ConfigKey, keyFacts } from "../../config/keys.ts";
import type { Option } from "../syntax/command.ts";

/** `value` is the placeholder of its value; a switch has none. `more` adds to the row or overrides it. */
export const settingOption = (
  key: ConfigKey,
  value: string | null,
  more: Partial<Omit<Option, "key" | "value">> = {},
): Option => ({
  flag: `--${key.replaceAll("_", "-")}`,
  ...(value === null ? {} : { value }),
  key,
  summary: keyFacts(key).summary,
  ...more,
});
