/**
 * Which files may hold secrets, by their path alone: such a file is never opened.
 *
 * Data, not source or prose: `credentials.json` is one, a TypeScript file of that name is none, and neither is what shows others how to write
 * theirs (`.env.example`). A file of keys is one whatever else its name says. Not here: secrets in other files, which
 * are hidden where they stand (`secrets/`).
 */
import { isCode, isProse, languageOf } from "../../languages/languages.ts";

/** Whether the content of a file must never be read. */
export function isSecretPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (KEY_STORE.test(name)) return true;
  if (!SECRET_NAME.test(name) && !SECRET_PLACE.test(path)) return false;
  return !EXAMPLE.test(name) && !isSource(path);
}

/** Shell is left out, as files of variables are written in it, and so is plain text. */
const isSource = (path: string): boolean => {
  const language = languageOf(path);
  return (isCode(language) && language !== "bash") || (isProse(language) && language !== "text");
};

/** Containers of private keys, and what Terraform is told and remembers: every password among it. */
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
/** What is a secret only where it lies. */
const SECRET_PLACE =
  /(?:^|\/)(?:\.docker\/config\.json|\.kube\/config|\.aws\/(?:credentials|config)|\.ssh\/[^/.]+|\.gnupg\/.+|\.azure\/.+\.json|\.config\/gcloud\/.+|\.secrets?\/.+)$/i;
/** Shows what to write, with nothing real in it. */
const EXAMPLE = /[-_.](?:example|sample|template|tmpl|dist|defaults?|schema)s?(?:[-_.]|$)/i;
