/**
 * The shapes of secrets whose value is unknown. Each rule leaves ordinary prose and code unchanged, gives the same text
 * when applied twice, and takes linear time: it matches a whole run of characters at once and then tests it, without
 * backtracking.
 */
export const REDACTED = "[redacted]";

export function redactShapes(text: string): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  // What one rule removed may have hidden the beginning of what another rule matches.
  let before = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const after = applyRules(before);
    if (after === before) break;
    before = after;
  }
  return before;
}

const MAX_ROUNDS = 10;

function applyRules(text: string): string {
  let result = redactPrivateKeys(text);
  for (const { pattern, isSecret } of RULES) {
    result = result.replace(pattern, (whole: string, before: string, value: string, after: string) =>
      isSecret(value, after) ? before + REDACTED + after : whole,
    );
  }
  return result;
}

const SECRET_NAME =
  "(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization|credentials?)";

/** Names of fields that hold a secret: `api_key`, `accessToken`, `DB_PASSWORD`; not `tokens` or `api_key_env`. */
export const SECRET_FIELD = new RegExp(`${SECRET_NAME}$`, "i");

/** A value that only refers to a secret: `$NAME` or `${NAME}`. */
export const VARIABLE_REFERENCE = /^\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})$/;

/** `pattern` has three groups: the text before the secret, the secret, the text after it. */
interface Rule {
  readonly pattern: RegExp;
  readonly isSecret: (value: string, after: string) => boolean;
}

const always = (): boolean => true;
const hasDigit = (value: string): boolean => /\d/.test(value);
const looksRandom = (value: string): boolean => hasDigit(value) || (value.length >= 24 && !value.includes("."));
const isNoReference = (value: string): boolean => !VARIABLE_REFERENCE.test(value);
/** `token=read(...)` is code. */
const isNoCall = (_value: string, after: string): boolean => after === "";
const looksRandomAndIsNoCall = (value: string, after: string): boolean => isNoCall(value, after) && looksRandom(value);

const ISSUED_KEYS = [
  "aw[ckrsu]_[\\w-]{32,}",
  "[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
  "gh[pousr]_[A-Za-z0-9]{20,}",
  "github_pat_\\w{20,}",
  "glpat-[\\w-]{16,}",
  "xox[abeoprs]-[A-Za-z0-9-]{10,}",
  "xapp-[A-Za-z0-9-]{10,}",
  "(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])",
  "AIza[\\w-]{30,}",
  "ya29\\.[\\w-]{20,}",
  "npm_[A-Za-z0-9]{30,}",
  "hf_[A-Za-z0-9]{20,}",
  "gsk_[A-Za-z0-9]{20,}",
  "xai-[A-Za-z0-9]{20,}",
];

/** Every rule below needs one of these. Few texts contain any, and one test is cheaper than fifteen. */
const MAY_HOLD_SECRET =
  /:\/\/|passw|passphrase|pwd|secret|token|key|credential|authorization|bearer|basic|[sr]k[_-]|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xapp-|akia|asia|aiza|ya29\.|npm_|hf_|gsk_|xai-|aw[cru]_|eyj/i;

const RULES: readonly Rule[] = [
  { pattern: new RegExp(`(?<![A-Za-z0-9])()(${ISSUED_KEYS.join("|")})()`, "g"), isSecret: always },
  { pattern: /(?<![A-Za-z0-9])()(sk-[\w-]{16,})()/g, isSecret: hasDigit },
  // JSON Web Token; the look-behind allows one attempt per run of token characters.
  { pattern: /(?<![\w-])()(eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)()/g, isSecret: always },
  // A header, with a scheme or without; a scheme alone.
  {
    pattern:
      /(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token|digest|apikey|negotiate)\s{1,4})(?!authorization)([^\s"',;[\]]{6,})()/gi,
    isSecret: always,
  },
  {
    pattern: /(authorization["']?\s{0,4}[:=]\s{0,4}["']?)(?!authorization)([^\s"',;[\]]{8,})()/gi,
    isSecret: hasDigit,
  },
  { pattern: /(\b(?:Bearer|Basic)\s{1,4})([\w.~+/=-]{12,})()/gi, isSecret: looksRandom },
  // scheme://user:password@host keeps the user; scheme://token@host keeps nothing.
  { pattern: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#@:"'<>]{0,256}:)([^\s/?#"'<>]+)(@)/gi, isSecret: always },
  { pattern: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)([^\s/?#@:"'<>[\]]{16,256})(@)/gi, isSecret: hasDigit },
  // "api_key": "..." in JSON, also when that JSON is inside a JSON text.
  {
    pattern: new RegExp(`(${SECRET_NAME}"\\s{0,4}:\\s{0,4}")((?!")[^"\\\\\\r\\n]*(?:\\\\.[^"\\\\\\r\\n]*)*)()`, "gi"),
    isSecret: isNoReference,
  },
  {
    pattern: new RegExp(`(${SECRET_NAME}\\\\"\\s{0,4}:\\s{0,4}\\\\")([^"\\\\\\r\\n]+)()`, "gi"),
    isSecret: isNoReference,
  },
  // password=...: any value. token=...: only a value that looks random, because code often contains it.
  {
    pattern: /((?:password|passwd|passphrase|pwd)=)("[^"\r\n]+"|'[^'\r\n]+'|[^\s"'&,;()<>${}[\]]+)(\(?)/gi,
    isSecret: isNoCall,
  },
  {
    pattern: /((?:secret|token|api[_-]?key|access[_-]?key)=["']?)([^\s"'&,;()<>${}[\]]{8,})(\(?)/gi,
    isSecret: looksRandomAndIsNoCall,
  },
  // The same in YAML, alone on a line.
  {
    pattern:
      /^([ \t]{0,80}(?:- )?[\w-]{0,80}?(?:password|passwd|passphrase):[ \t]{1,8})("[^"\r\n]+"|'[^'\r\n]+'|[^\s$"'[{|>&*]\S*)([ \t]*)$/gim,
    isSecret: always,
  },
  {
    pattern:
      /^([ \t]{0,80}(?:- )?[\w-]{0,80}?(?:secret|token|api[_-]?key|access[_-]?key):[ \t]{1,8}["']?)([^\s$"'[{|>&*][^\s"']{7,})(["']?[ \t]*)$/gim,
    isSecret: looksRandom,
  },
];

const KEY_HEADER = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_FOOTER = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_LINES = /(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{20,})*/y;

/** Removes complete blocks, and from a truncated block everything that looks like key material. */
function redactPrivateKeys(text: string): string {
  const headers = [...text.matchAll(KEY_HEADER)];
  if (headers.length === 0) return text;
  const footers = [...text.matchAll(KEY_FOOTER)];
  let result = "";
  let from = 0;
  let nextFooter = 0;
  for (const [index, header] of headers.entries()) {
    const bodyStart = header.index + header[0].length;
    const bodyLimit = headers[index + 1]?.index ?? text.length;
    while ((footers[nextFooter]?.index ?? Infinity) < bodyStart) nextFooter += 1;
    const footer = footers[nextFooter];
    result += text.slice(from, header.index) + REDACTED;
    from =
      footer !== undefined && footer.index < bodyLimit
        ? footer.index + footer[0].length
        : endOfKeyLines(text, bodyStart);
  }
  return result + text.slice(from);
}

function endOfKeyLines(text: string, start: number): number {
  KEY_LINES.lastIndex = start;
  return start + (KEY_LINES.exec(text)?.[0].length ?? 0);
}
