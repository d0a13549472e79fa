/** The settings of a repository as a server uses them: its own and the user's, but nothing that reaches beyond the index. */
import type { Settings } from "../../config/keys.ts";
import type { Config } from "../../config/settings.ts";

/** No model is asked, no memory is read, no other repository is looked at, whatever the settings of the user say. */
export function servedConfig(config: Config, dataDir: string): Config {
  const settings: Settings = {
    ...config.settings,
    data_dir: dataDir,
    model: null,
    embedding_model: null,
    llm_assist: false,
    with_memory: false,
    template: null,
    "workspace.repos": [],
  };
  return { ...config, settings };
}
