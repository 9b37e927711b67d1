import type { SessionConfigOption } from "@agentclientprotocol/sdk";
import { AUTO_MODEL, parseModel } from "../../domain/agent/model.ts";
import { EngineFailure } from "../../ports/engine.ts";
import { valueOrFailure } from "../shared/failure-text.ts";
import type { AcpPeer } from "./acp-agent.ts";

/** Returns how to set the model of a session; null when nothing has to be set. */
export function modelChoice(
  model: string | undefined,
  options: readonly SessionConfigOption[],
  title: string,
): ((peer: AcpPeer, sessionId: string) => Promise<unknown>) | null {
  const written = (model ?? "").trim();
  if (written === "" || written === AUTO_MODEL) return null;
  const option = options.find((one) => one.category === "model" && one.type === "select");
  if (option?.type !== "select") {
    throw new EngineFailure(
      "permanent",
      `${title} lets nobody choose its model. Leave "model" out, or choose it where ${title} is configured.`,
    );
  }
  const offered = option.options.flatMap((one) => ("options" in one ? one.options : [one])).map(({ value }) => value);
  const value = namesOf(written).find((name) => offered.includes(name));
  if (value === undefined) {
    const some = offered.slice(0, 10).join(", ");
    throw new EngineFailure("permanent", `${title} has no model "${written}". It has: ${some || "none"}.`);
  }
  if (value === option.currentValue) return null;
  return (peer, sessionId) => peer.request("session/set_config_option", { sessionId, configId: option.id, value });
}

/** Returns the name as written, as `provider/model`, and without the provider. */
function namesOf(text: string): string[] {
  const { provider, model } = valueOrFailure(parseModel(text));
  return [text, ...(provider === undefined ? [] : [`${provider}/${model}`, model])];
}
