import { readEnvFile } from "../../files/project/env-file.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Redactor } from "../../kernel/redact.ts";
import type { StoreSettings } from "../../ports/definitions.ts";
import type { DocumentRules } from "../../ports/documents.ts";
import type { Store } from "../../ports/store/store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the URL of a store on a server, with its schema. The variable is looked up in the environment, then in the
 * `.env` of the project. Throws a Fault that does not contain the URL.
 */
function storeUrl({ url = "", schema }: StoreSettings, dir: string, env: Environment): string {
  const variable = /^\$\{?(\w+)\}?$/.exec(url)?.[1];
  const whole = variable === undefined ? url : (env[variable] ?? readEnvFile(dir).variables[variable] ?? "");
  if (whole === "") {
    throw new Fault(
      "project_invalid",
      `The variable ${variable} is not set: it says where the store of the project is.`,
      {
        hint: `Set it in the environment of the daemon, or in .env: ${variable}=postgres://user:password@host/database`,
      },
    );
  }
  if (schema === undefined) return whole;
  return `${whole}${whole.includes("?") ? "&" : "?"}schema=${schema}`;
}

/** Opens a store on a server. The driver is loaded here, so that a daemon without such a store never loads it. */
export async function openServerStore(
  settings: StoreSettings,
  parts: {
    readonly dir: string;
    readonly env: Environment;
    readonly redactor: Redactor;
    readonly rules: DocumentRules;
    readonly node?: string;
  },
): Promise<Store> {
  const url = storeUrl(settings, parts.dir, parts.env);
  const password = /^[^:]+:\/\/[^:@/]*:([^@/]+)@/.exec(url)?.[1];
  if (password !== undefined) for (const text of [password, safely(password)]) parts.redactor.add(text);
  const { openPostgresStore } = await import("../../storage/postgres/postgres-store.ts");
  return openPostgresStore(url, parts.rules, { name: `agent-worker ${parts.node ?? ""}`.trim() });
}

function safely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
