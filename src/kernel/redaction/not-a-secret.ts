import { ALNUM, charactersOf, endOfRun, isIn } from "./character-set.ts";

/**
 * What stands where a secret could stand and is none: a reference to a variable, a placeholder of an example, a path.
 * Only the beginning of a value is looked at, so that the time for a value has a limit.
 */
const LOOKED_AT = 200;

/** `$NAME`, `${...}`, `$(...)`, `{{ name }}`, `<your key>`, `%NAME%`. */
const REFERENCE = /^(?:\$[A-Za-z_{(]|\{\{|#\{|<|%[A-Za-z_]\w{0,60}%)/;
/** `process.env.TOKEN`, `os.environ["TOKEN"]`, `config.token`: names with dots, none of them long enough for a key. */
const NAME_IN_CODE = /^[A-Za-z_$][\w$]{0,30}(?:\??\.[A-Za-z_$][\w$]{0,30}){1,8}(?:$|[[(,;)}])/;
const LOOKUP_IN_CODE = /^(?:ENV|env|environ|getenv|secrets|vars|params|config|settings|options)[[(]/;

/** A value that only says where the secret is. */
export function isReference(value: string): boolean {
  const text = value.slice(0, LOOKED_AT);
  if (REFERENCE.test(text)) return true;
  if (!/[.[(]/.test(text)) return false;
  return LOOKUP_IN_CODE.test(text) || (NAME_IN_CODE.test(text) && !hasLongMixedPart(text));
}

const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@+~ \\/-]*$/;

function isPath(value: string): boolean {
  const text = value.slice(0, LOOKED_AT);
  return PATH.test(text) && !hasLongMixedPart(text);
}

/** Base64 and other keys contain slashes and dots too, but between them they are long, and mix letters and digits. */
function hasLongMixedPart(text: string): boolean {
  return text
    .split(/[\\/.]/)
    .some((part) => part.length >= 16 && /\d/.test(part) && /[A-Z]/.test(part) && /[a-z]/.test(part));
}

const EXAMPLE_WORDS = new Set(
  (
    "a access add admin an and any api apikey auth bar baz bearer change changeme client code credential credentials " +
    "default demo dummy empty enter env example fake false foo from generated goes guest here hidden id in insert is " +
    "key login masked me missing my nil no none not null of omitted optional or pass passphrase passwd password paste " +
    "placeholder private put pwd redacted removed replace replaceme required same sample secret set some string " +
    "test text the this to todo token true undefined unset user username value with yes your"
  ).split(" "),
);
const BEGINS_AS_EXAMPLE =
  /^(?:your|my|insert|enter|replace|put|paste|change|example|sample|dummy|fake|some)[-_ .][A-Za-z_ .-]*$/i;

/** `AKIAIOSFODNN7EXAMPLE`, `ghp_xxxxxxxx`. */
const OBVIOUS_EXAMPLE = /EXAMPLE(?:KEY)?$|([xX*.0])\1{7}/;

/** `xxxx`, `***`, `changeme`, `your_api_key_here`, `EXAMPLE-TOKEN`. */
export function isPlaceholder(value: string): boolean {
  const text = value.slice(0, LOOKED_AT);
  if (isOneCharacter(text) || OBVIOUS_EXAMPLE.test(text)) return true;
  if (/\d/.test(text)) return false;
  if (BEGINS_AS_EXAMPLE.test(text)) return true;
  const words = text.split(/[^A-Za-z]+/).filter((word) => word !== "");
  return words.every((word) => EXAMPLE_WORDS.has(word.toLowerCase()) || isOneCharacter(word));
}

/** The same letter or digit at least three times, in any case, whatever stands between; or nothing but a mask. */
function isOneCharacter(text: string): boolean {
  const first = endOfRun(text, 0, NEITHER);
  if (first === text.length) return isMask(text);
  const code = text.charCodeAt(first) | LOWER_CASE;
  for (let at = first + 1; at < text.length; at += 1) {
    const other = text.charCodeAt(at);
    if (other > 127 || (isIn(ALNUM, other) && (other | LOWER_CASE) !== code)) return false;
  }
  return text.length - first >= 3;
}

const NEITHER = charactersOf("^A-Za-z0-9");
const LOWER_CASE = 0x20;

/** `***`, `...`, `…`, `•••`. */
function isMask(text: string): boolean {
  return /^[*.…•_-]*$/.test(text);
}

/** `9.0.6`, `^9.0.2`, `>=1.2.3 <2.0.0`: the name of a package may end with `token`. */
const VERSION =
  /^(?:[\^~v=]|[<>]=?)?\d{1,5}(?:\.(?:\d{1,5}|[x*])){1,2}(?:-(?:alpha|beta|rc|next|canary|dev|pre)[\w.]{0,20})?$/;

function isVersion(value: string): boolean {
  const text = value.slice(0, LOOKED_AT);
  return /^[\^~v=<>\d]/.test(text) && text.split(/ \|\| | - | /).every((part) => VERSION.test(part));
}

/** `newPassword`, `access_token`, and the word in another language: the name of a field, not its value. */
const NAMES_A_FIELD = /^[A-Za-z_-]{0,30}(?:passwor[dt]|passwd|passphrase|kennwort|token)[A-Za-z_-]{0,30}$/i;

export function isNotASecret(value: string): boolean {
  return isReference(value) || isPlaceholder(value) || isPath(value) || isVersion(value) || NAMES_A_FIELD.test(value);
}
