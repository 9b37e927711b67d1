import { ALNUM, charactersOf, DIGIT, endOfRun, hasAt, startOfRun, WORD, type CharacterSet } from "./character-set.ts";

/**
 * The keys that well-known services issue. Each begins with its own text, so that one look at two characters rules out
 * almost all of them. The rest is a sequence of runs, and no run contains the text that follows it. Therefore a key is
 * matched without a second attempt, in a time that grows with its length only.
 */
export interface IssuedKey {
  readonly prefix: string;
  readonly parts: readonly KeyPart[];
  /** The prefix is an address and stays in the text. */
  readonly prefixStays: boolean;
  /** The key contains a digit; otherwise it is a name like `sk-fading-circle-container`. */
  readonly digit: boolean;
  /** No letter or digit follows. */
  readonly ends: boolean;
}

type KeyPart = string | KeyRun;

interface KeyRun {
  readonly of: CharacterSet;
  readonly least: number;
  readonly most: number;
}

/** More than a text can be long. */
export const UNLIMITED = 0x3fff_ffff;

const HEX = charactersOf("a-f0-9");
const ANY_HEX = charactersOf("A-Fa-f0-9");
const UPPER = charactersOf("A-Z0-9");
const BASE64 = charactersOf("A-Za-z0-9+/=");
const ADDRESS = charactersOf("\\w/-");

function run(of: CharacterSet, least: number, most = UNLIMITED): KeyRun {
  return { of, least, most };
}

type Marks = Partial<Pick<IssuedKey, "prefixStays" | "digit" | "ends">>;

/** Several prefixes are separated by spaces. */
function keys(prefixes: string, parts: KeyRun | readonly KeyPart[], marks: Marks = {}): IssuedKey[] {
  const { prefixStays = false, digit = false, ends = false } = marks;
  const list = "of" in parts ? [parts] : parts;
  // All have the same fields, so that V8 reads them fast.
  return prefixes.split(" ").map((prefix) => ({ prefix, parts: list, prefixStays, digit, ends }));
}

/** @internal */
export const ISSUED_KEYS: readonly IssuedKey[] = [
  // agent-worker itself: the tokens of a person, a run and a browser.
  ...keys("awc_ awk_ awr_ aws_ awu_", run(WORD, 32)),
  // Models: OpenAI, Anthropic, OpenRouter and others share `sk-`.
  ...keys("sk-", run(WORD, 16), { digit: true }),
  ...keys("sk_", run(HEX, 40)),
  ...keys("hf_ api_org_ gsk_", run(ALNUM, 20)),
  ...keys("xai- csk-", run(ALNUM, 20)),
  ...keys("r8_", run(ALNUM, 30)),
  ...keys("pplx- nvapi- tvly- pa-", run(WORD, 32), { digit: true }),
  ...keys("lsv2_pt_ lsv2_sk_", run(charactersOf("\\w"), 32)),
  ...keys("pcsk_", run(charactersOf("\\w"), 40)),
  ...keys("tgp_v1_", run(WORD, 32)),
  ...keys("fc-", run(HEX, 32), { ends: true }),
  ...keys("fw_", run(ALNUM, 20), { digit: true }),
  ...keys("AQVN", run(WORD, 34), { digit: true }),
  // Code hosts and packages.
  ...keys("ghp_ gho_ ghu_ ghs_ ghr_", run(ALNUM, 20)),
  ...keys("github_pat_", run(charactersOf("\\w"), 20)),
  ...keys("glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- GR1348941", run(WORD, 16)),
  ...keys("ATATT3 ATCTT3", run(charactersOf("\\w=-"), 40)),
  ...keys("ATBB", run(ALNUM, 24), { digit: true }),
  ...keys("npm_", run(ALNUM, 30)),
  ...keys("pypi-AgE", run(WORD, 30)),
  ...keys("rubygems_", run(HEX, 40)),
  ...keys("dckr_pat_ dckr_oat_", run(WORD, 24)),
  ...keys("cio", run(ALNUM, 32, 32), { ends: true, digit: true }),
  ...keys("oy2", run(charactersOf("a-z0-9"), 43, 43), { ends: true, digit: true }),
  ...keys("CLOJARS_", run(HEX, 40)),
  ...keys("AKCp", run(ALNUM, 40), { digit: true }),
  ...keys("CCIPAT_", run(charactersOf("\\w"), 40)),
  // Clouds.
  ...keys("AKIA ASIA ABIA ACCA", run(UPPER, 16, 16), { ends: true }),
  ...keys("ABSK", run(BASE64, 100)),
  ...keys("LTAI", run(ALNUM, 16, 24), { ends: true, digit: true }),
  ...keys("AIza", run(WORD, 30)),
  ...keys("ya29.", run(WORD, 20)),
  ...keys("GOCSPX-", run(WORD, 24)),
  ...keys("1//0", run(WORD, 40)),
  ...keys("dop_v1_ doo_v1_ dor_v1_", run(HEX, 60)),
  ...keys("dapi", run(HEX, 32), { ends: true }),
  ...keys("cfk_ cfut_ cfat_", run(ALNUM, 32)),
  ...keys("v1.0-", [run(HEX, 24, 24), "-", run(HEX, 140)]),
  ...keys("HRKU-", run(WORD, 32)),
  ...keys("fm1_ fm2_ fo1_", run(charactersOf("A-Za-z0-9+/=_-"), 40)),
  ...keys("nfp_", run(ALNUM, 32)),
  ...keys("vcp_ vca_ vci_ vck_ vcr_", run(ALNUM, 24), { digit: true }),
  // The signature of an address that opens a storage of Azure.
  ...keys("sig=", run(charactersOf("\\w%+/=.~-"), 24), { prefixStays: true, digit: true }),
  ...keys("tskey-", run(WORD, 16), { digit: true }),
  ...keys("pscale_tkn_ pscale_pw_ pscale_oauth_", run(WORD, 32)),
  ...keys("sbp_", run(HEX, 40)),
  ...keys("sb_secret_", run(WORD, 20)),
  // Secrets of the infrastructure.
  ...keys("hvs. hvb. hvr.", run(WORD, 24)),
  ...keys("AGE-SECRET-KEY-1", run(UPPER, 50)),
  ...keys("pul-", run(HEX, 40)),
  ...keys("dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", run(charactersOf("\\w.-"), 40)),
  ...keys("ops_eyJ", run(charactersOf("\\w=-"), 60)),
  ...keys("glsa_", run(charactersOf("\\w"), 32)),
  ...keys("glc_", run(charactersOf("\\w+/=-"), 32), { digit: true }),
  ...keys("NRAK-", run(UPPER, 24)),
  ...keys("sntrys_ sntryu_", run(charactersOf("\\w+/="), 40)),
  ...keys("dt0c01.", [run(UPPER, 24, 24), ".", run(UPPER, 60)]),
  // Messages and mail.
  ...keys("xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp- xapp-", run(charactersOf("A-Za-z0-9-"), 10)),
  ...keys("hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/", run(ADDRESS, 20), {
    prefixStays: true,
  }),
  ...keys("discord.com/api/webhooks/ discordapp.com/api/webhooks/", run(ADDRESS, 40), { prefixStays: true }),
  ...keys("webhook.office.com/webhookb2/ outlook.office.com/webhook/", run(charactersOf("\\w/@-"), 40), {
    prefixStays: true,
  }),
  // The bot tokens of Discord begin with the number of the bot in base64, so with two digits in base64.
  ...keys("MT Mj Mz ND NT Nj Nz OD OT", [run(WORD, 20, 28), ".", run(WORD, 5, 8), ".", run(WORD, 25)]),
  ...keys("SG.", [run(WORD, 16, 32), ".", run(WORD, 16)]),
  ...keys("key- pubkey-", run(HEX, 32), { ends: true }),
  ...keys("re_", [run(ALNUM, 8, 8), "_", run(ALNUM, 20)]),
  ...keys("xkeysib- xsmtpsib-", run(HEX, 60)),
  ...keys("SK", run(HEX, 32, 32), { ends: true }),
  // Shops and payments.
  ...keys("sk_live_ sk_test_ rk_live_ rk_test_", run(ALNUM, 16)),
  ...keys("whsec_", run(BASE64, 24)),
  ...keys("shpat_ shpca_ shppa_ shpss_ shptka_", run(ANY_HEX, 32)),
  ...keys("sq0atp- sq0csp-", run(WORD, 22)),
  ...keys("EAAA", run(WORD, 56), { digit: true }),
  ...keys("shippo_live_ shippo_test_", run(HEX, 40)),
  // Work.
  ...keys("lin_api_ lin_oauth_", run(ALNUM, 32)),
  ...keys("ntn_ secret_", run(ALNUM, 40)),
  ...keys("figd_ figo_", run(WORD, 32)),
  ...keys("1/", [run(DIGIT, 10, 20), ":", run(HEX, 32)]),
  ...keys("sl. sl.u.", run(WORD, 60), { digit: true }),
  ...keys("SSWS", [" ", run(WORD, 30)]),
  ...keys("PMAK-", run(charactersOf("a-f0-9-"), 40)),
  ...keys("tfp_", run(WORD, 40)),
  ...keys("CFPAT-", run(WORD, 40)),
  ...keys("pat", [run(ALNUM, 14, 14), ".", run(HEX, 60)]),
  ...keys("eyJ", [run(WORD, 8), ".", run(WORD, 8), ".", run(WORD, 0)]),
];

/** Returns the end of the key whose prefix stands before `from`, or -1. */
export function endOfKey({ parts, ends }: IssuedKey, text: string, from: number): number {
  let at = from;
  for (const part of parts) {
    if (typeof part === "string") {
      if (!hasAt(text, at, part)) return -1;
      at += part.length;
    } else {
      const end = endOfRun(text, at, part.of, part.most);
      if (end - at < part.least) return -1;
      at = end;
    }
  }
  return ends && endOfRun(text, at, ALNUM, 1) > at ? -1 : at;
}

/** A key that is known by what stands inside it: the place of `inside` in the text is given. */
interface KeyAround {
  readonly inside: string;
  readonly before: KeyRun;
  readonly after: KeyRun;
}

const TILDE_WORD = charactersOf("\\w~.-");

/** @internal */
export const KEYS_AROUND: readonly KeyAround[] = [
  // Bots of Telegram: the number of the bot, and its secret.
  { inside: ":AA", before: run(DIGIT, 8, 10), after: run(WORD, 30, 40) },
  // Clients of Azure.
  { inside: "7Q~", before: run(TILDE_WORD, 3, 3), after: run(TILDE_WORD, 31, 40) },
  { inside: "8Q~", before: run(TILDE_WORD, 3, 3), after: run(TILDE_WORD, 31, 40) },
  // Terraform.
  { inside: ".atlasv1.", before: run(ALNUM, 14, 14), after: run(WORD, 40, 100) },
  // Mailchimp: the place of the account follows its key.
  { inside: "-us", before: run(HEX, 32, 32), after: run(DIGIT, 1, 2) },
];

/** Returns the key around this place, or undefined. */
export function keyAround({ inside, before, after }: KeyAround, text: string, at: number): Span | undefined {
  const start = startOfRun(text, at, before.of, before.most);
  if (at - start < before.least) return undefined;
  const from = at + inside.length;
  const end = endOfRun(text, from, after.of, after.most);
  return end - from < after.least ? undefined : { start, end };
}

/** The part of a text from `start` to before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
