import { readFileSync } from "node:fs";
import { priceInTable, type Price } from "../../domain/budget/price.ts";
import type { Prices } from "../../ports/prices.ts";

/** The list that `scripts/refresh-prices.ts` writes: what providers asked for their models on one day. */
interface PriceList {
  readonly source: string;
  readonly taken: string;
  /** The first model of a provider whose expression matches counts. */
  readonly providers: Readonly<Record<string, readonly { readonly model: string; readonly price: Price }[]>>;
}

let list: PriceList | undefined;

/** Reads the file once, when a price is first asked for. */
function priceList(): PriceList {
  list ??= JSON.parse(readFileSync(new URL("price-list.json", import.meta.url), "utf8")) as PriceList;
  return list;
}

/** `ofProject` returns the prices that the project file sets now. */
export function createPrices(ofProject: () => Readonly<Record<string, Price>>): Prices {
  return { of: (model) => priceInTable(ofProject(), model) ?? listedPrice(model) };
}

/** Programs that ask the models of one provider. */
const PROVIDER_OF_PROGRAM: Readonly<Record<string, string>> = { claude: "anthropic", codex: "openai" };

function listedPrice(model: string): Price | undefined {
  const slash = model.indexOf("/");
  const asked = model.slice(0, slash);
  const name = model.slice(slash + 1);
  const models = priceList().providers[PROVIDER_OF_PROGRAM[asked] ?? asked] ?? [];
  return models.find((each) => new RegExp(each.model).test(name))?.price;
}
