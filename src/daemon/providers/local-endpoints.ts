import { request } from "node:http";
import type { Clock } from "../../kernel/clock.ts";

/** A program on this machine that serves models of its own. */
export interface LocalEndpoint {
  readonly name: "ollama" | "lmstudio";
  /** For `base_url`. */
  readonly baseUrl: string;
  /** The models it has, by its own names. */
  readonly models: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 1024 * 1024;
const MOST_MODELS = 100;

/** Looks for Ollama and LM Studio at their usual ports, on loopback only. A port that nobody listens on answers at once. */
export async function findLocalEndpoints(env: Environment, clock: Clock): Promise<LocalEndpoint[]> {
  const candidates = [
    { name: "ollama", port: portIn(env["OLLAMA_HOST"]) ?? 11_434 },
    { name: "lmstudio", port: portIn(env["LMSTUDIO_HOST"]) ?? 1_234 },
  ] as const;
  const found = await Promise.all(
    candidates.map(async ({ name, port }) => {
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      const models = await modelsAt(`${baseUrl}/models`, clock);
      return models === undefined ? [] : [{ name, baseUrl, models }];
    }),
  );
  return found.flat();
}

/** Returns the port of an address on this machine, as Ollama reads its variable. */
function portIn(address: string | undefined): number | undefined {
  const [, host = "", port] = /^(?:http:\/\/)?([\w.[\]:]*?)(?::(\d+))?\/?$/.exec(address ?? "") ?? [];
  if (port === undefined || !/^(?:|localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])$/.test(host)) return undefined;
  return Number(port);
}

/** Returns undefined when nothing there lists models. */
async function modelsAt(url: string, clock: Clock): Promise<readonly string[] | undefined> {
  try {
    const listed: unknown = JSON.parse(await get(url, clock));
    const data = typeof listed === "object" && listed !== null && "data" in listed ? listed.data : undefined;
    if (!Array.isArray(data)) return undefined;
    const ids = data.map((each: unknown) =>
      typeof each === "object" && each !== null && "id" in each ? each.id : undefined,
    );
    return ids
      .filter((id) => typeof id === "string" && /^[\w./:@+-]{1,200}$/.test(id))
      .slice(0, MOST_MODELS) as string[];
  } catch {
    return undefined;
  }
}

/** Not `fetch`, which may use a proxy. */
async function get(url: string, clock: Clock): Promise<string> {
  const [late, done] = [new AbortController(), new AbortController()];
  clock.sleep(TIMEOUT_MS, done.signal).then(
    () => late.abort(new Error("too late")),
    () => {},
  );
  try {
    return await bodyOf(url, late.signal);
  } finally {
    done.abort();
  }
}

function bodyOf(url: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { signal }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (text.length > MAX_BYTES) response.destroy(new Error("too long"));
      });
      response.on("end", () => resolve(text)).on("error", reject);
    });
    asked.on("error", reject).end();
  });
}
