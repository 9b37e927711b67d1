import { isNotASecret } from "../kernel/redaction/not-a-secret.ts";

const SECRET_NAME =
  /(?:(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|CONNECTION_STRING|WEBHOOK_URL)S?|KEY_BASE|(?:^|_)(?:PASS|PAT|PWD|COOKIE))$/i;
/** A public key is no secret, and `PWD` is a folder. */
const NO_SECRET_NAME = /PUBLIC_?KEYS?$|^(?:OLD)?PWD$/i;

/**
 * Returns the values of environment variables whose name says that they are secret. A path to a secret, a placeholder and
 * a number of tokens are no secrets, and would be removed from ordinary texts.
 */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || !SECRET_NAME.test(name) || NO_SECRET_NAME.test(name)) return [];
    const isCount = /TOKENS$/i.test(name) && /^\d+$/.test(value);
    return isCount || isNotASecret(value.trim()) ? [] : [value];
  });
}
