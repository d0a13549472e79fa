/**
 * Tells from a file's path alone whether it may hold secrets; such a file is never opened.
 *
 * This is about data: `credentials.json` counts, a TypeScript file of that name does not, nor does an example file (`.env.example`). Key stores
 * count whatever else their names say.
 */
import { isCode, isProse, languageOf } from "../../languages/languages.ts";
import { nameOf } from "../../text/repo-path.ts";

/** Whether a file must never be opened. */
export function isSecretPath(path: string): boolean {
  const name = nameOf(path);
  if (KEY_STORE.test(name)) return true;
  if (!SECRET_NAME.test(name) && !SECRET_PLACE.test(path)) return false;
  return !EXAMPLE.test(name) && !isSource(path);
}

/** Shell scripts and plain text do not count as source: files of variables are written in them. */
const isSource = (path: string): boolean => {
  const language = languageOf(path);
  return (isCode(language) && language !== "bash") || (isProse(language) && language !== "text");
};

/** Containers of private keys, and Terraform's variables and state, which hold every password. */
const KEY_STORE =
  /\.(?:pem|key|p12|pfx|pkcs12|p8|jks|keystore|bks|ppk|kdbx?|keychain|ovpn|gpg|pgp|asc\.key|agekey|tfstate(?:\..+)?|tfvars(?:\.json)?)(?:\.(?:bak|old|orig|backup)|~)?$/i;

const DATA = "(?:json|ya?ml|ini|toml|xml|csv|tsv|txt|cfg|conf|config|properties|plist|env|enc|db|bak|old|orig|backup)";
const SECRET_NAME = new RegExp(
  [
    String.raw`#?\.env.*`,
    String.raw`.+\.env`,
    String.raw`\.flaskenv`,
    "id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:[-_.].*)?",
    String.raw`id_[a-z0-9_-]+(?:\.pub)?`,
    String.raw`(?:\.npmrc|\.pypirc|[._]netrc|\.pgpass|pgpass\.conf|\.my\.cnf|\.mylogin\.cnf)(?:[-_.].*)?`,
    String.raw`(?:\.htpasswd|\.htdigest|\.dockercfg|\.git-credentials|\.s3cfg|\.boto|\.vault-token|\.vault[-_]pass(?:word)?|\.dockerconfigjson|\.databrickscfg)(?:[-_.].*)?`,
    String.raw`\.?terraformrc|terraform\.rc|\.?kubeconfig(?:[-_.].*)?`,
    String.raw`(?:.*[-_.])?credentials(?:[-_.].*)?(?:\.${DATA})*`,
    String.raw`(?:client[-_]secrets?|service[-_]account)(?:[-_.].*)?\.json`,
    String.raw`(?:.*[-_.])?secrets?(?:\.${DATA})+`,
    String.raw`\.secrets?`,
  ]
    .map((shape) => `^(?:${shape})$`)
    .join("|"),
  "i",
);
/** Files that are secret only in these folders. */
const SECRET_PLACE =
  /(?:^|\/)(?:\.docker\/config\.json|\.kube\/config|\.aws\/(?:credentials|config)|\.ssh\/[^/.]+|\.gnupg\/.+|\.azure\/.+\.json|\.config\/gcloud\/.+|\.secrets?\/.+)$/i;
/** Examples without real values. */
const EXAMPLE = /[-_.](?:example|sample|template|tmpl|dist|defaults?|schema)s?(?:[-_.]|$)/i;
