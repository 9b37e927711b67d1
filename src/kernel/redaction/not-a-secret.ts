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
  return REFERENCE.test(text) || LOOKUP_IN_CODE.test(text) || (NAME_IN_CODE.test(text) && !hasLongMixedPart(text));
}

const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@+~ \\/-]*$/;

export function isPath(value: string): boolean {
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
  if (isOneCharacter(text) || BEGINS_AS_EXAMPLE.test(text) || OBVIOUS_EXAMPLE.test(text)) return true;
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.every((word) => EXAMPLE_WORDS.has(word.toLowerCase()) || isOneCharacter(word));
}

/** The same letter or digit again and again, in any case, whatever stands between. */
function isOneCharacter(text: string): boolean {
  const first = /[A-Za-z0-9]/.exec(text)?.[0].toLowerCase();
  if (first === undefined) return /^[^\w]*$/.test(text) && isMask(text);
  if (text.length < 3) return false;
  for (const character of text.toLowerCase()) {
    if (/[a-z0-9]/.test(character) && character !== first) return false;
    if (character.charCodeAt(0) > 127) return false;
  }
  return true;
}

/** `***`, `...`, `…`, `•••`. */
function isMask(text: string): boolean {
  return /^[*.…•_-]*$/.test(text);
}

export function isNotASecret(value: string): boolean {
  return isReference(value) || isPlaceholder(value) || isPath(value);
}
