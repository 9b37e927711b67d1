import type { Price } from "../domain/budget/price.ts";

/** What models cost: first as the project says, then by the price list of agent-worker. */
export interface Prices {
  /** `model` is `provider/model`, or `engine/model` for engines that do not say who serves it. */
  of(model: string): Price | undefined;
}
