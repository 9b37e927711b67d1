/**
 * Writes `src/files/prices/price-list.json` anew from the data of genai-prices (by Pydantic, MIT license), which is
 * published as an npm package: `node scripts/refresh-prices.ts`. Look through the difference before committing it.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Price, TokenPrice } from "../src/domain/budget/price.ts";
import { projectRoot } from "./run-command.ts";

const PACKAGE = "@pydantic/genai-prices";
/** Our name of a provider, and theirs. */
const PROVIDERS = {
  anthropic: "anthropic",
  openai: "openai",
  google: "google",
  deepseek: "deepseek",
  groq: "groq",
  mistral: "mistral",
  xai: "x-ai",
};

type Match =
  | { readonly or: readonly Match[] }
  | { readonly and: readonly Match[] }
  | { readonly contains: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly equals: string }
  | { readonly regex: string };
type Amount = number | { readonly base: number; readonly tiers: readonly { start: number; price: number }[] };
type Amounts = Readonly<Record<string, Amount | undefined>>;
interface Conditional {
  readonly constraint?: { readonly type: string; readonly start_date?: string };
  readonly prices: Amounts;
}
interface Model {
  readonly match: Match;
  readonly prices: Amounts | readonly Conditional[];
}

const folder = mkdtempSync(join(tmpdir(), "prices-"));
try {
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE], { cwd: folder });
  const manifest = join(folder, "node_modules", PACKAGE, "package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const published = execFileSync("npm", ["view", `${PACKAGE}@${version}`, "time", "--json"], { encoding: "utf8" });
  const taken = (JSON.parse(published) as Record<string, string>)[version]?.slice(0, 10) ?? "";
  const { findProvider } = createRequire(manifest)(PACKAGE) as {
    findProvider: (options: { providerId: string }) => { models: readonly Model[] } | undefined;
  };

  const providers = Object.fromEntries(
    Object.entries(PROVIDERS).map(([name, providerId]) => {
      const models = findProvider({ providerId })?.models ?? [];
      return [name, models.flatMap((model) => entryOf(model, taken))];
    }),
  );
  const lines = Object.entries(providers).map(
    ([name, models]) => `${JSON.stringify(name)}: [\n${models.map((each) => JSON.stringify(each)).join(",\n")}\n]`,
  );
  const source = `${PACKAGE} ${version} (MIT license), prices in US dollars for a million tokens`;
  const text = `{\n"source": ${JSON.stringify(source)},\n"taken": ${JSON.stringify(taken)},\n"providers": {\n${lines.join(",\n")}\n}\n}\n`;
  JSON.parse(text);
  writeFileSync(join(projectRoot, "src/files/prices/price-list.json"), text);
  console.log(`prices of ${taken}: ${Object.values(providers).flat().length} models`);
} finally {
  rmSync(folder, { recursive: true });
}

function entryOf({ match, prices }: Model, day: string): { model: string; price: Price }[] {
  const price = priceOf(isConditional(prices) ? validAt(prices, day) : prices);
  return price.input === undefined || price.output === undefined ? [] : [{ model: expressionOf(match), price }];
}

function isConditional(prices: Model["prices"]): prices is readonly Conditional[] {
  return Array.isArray(prices);
}

/** The last price whose first day has come. Prices for hours of the day are left out. */
function validAt(prices: readonly Conditional[], day: string): Amounts {
  const dated = prices.filter(
    ({ constraint }) =>
      constraint === undefined || (constraint.type === "start_date" && (constraint.start_date ?? "") <= day),
  );
  return dated.at(-1)?.prices ?? {};
}

function priceOf(prices: Amounts): Price {
  const entries = {
    input: prices.input_mtok,
    output: prices.output_mtok,
    cachedInput: prices.cache_read_mtok,
    cacheWrite: prices.cache_write_mtok,
  };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, amount]) => (amount === undefined ? [] : [[name, tokenPrice(amount)]])),
  );
}

function tokenPrice(amount: Amount): TokenPrice {
  if (typeof amount === "number") return amount;
  return { base: amount.base, above: amount.tiers.map(({ start, price }) => ({ inputTokens: start, price })) };
}

/** One regular expression for a rule of theirs. */
function expressionOf(match: Match): string {
  if ("or" in match) return match.or.map((each) => `(?:${expressionOf(each)})`).join("|");
  if ("and" in match) return `^${match.and.map((each) => `(?=.*?(?:${expressionOf(each)}))`).join("")}`;
  if ("regex" in match) return match.regex;
  if ("equals" in match) return `^${escaped(match.equals)}$`;
  if ("starts_with" in match) return `^${escaped(match.starts_with)}`;
  return "ends_with" in match ? `${escaped(match.ends_with)}$` : escaped(match.contains);
}

/** `RegExp.escape` also escapes letters and dashes, which nobody could read in the list. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
