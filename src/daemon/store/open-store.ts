import type { Redactor } from "../../kernel/redact.ts";
import type { StoreSettings } from "../../ports/definitions.ts";
import type { DocumentRules } from "../../ports/documents.ts";
import type { Store } from "../../ports/store/store.ts";
import { nameAmongOthers, type NodeSettings } from "../node/node-settings.ts";
import { storeUrl } from "./store-url.ts";

/** Opens a store on a server. The driver is loaded here, so that a daemon without such a store never loads it. */
export async function openServerStore(
  settings: StoreSettings,
  parts: {
    readonly dir: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly redactor: Redactor;
    readonly rules: DocumentRules;
    /** The server shows it in its list of sessions. */
    readonly node?: NodeSettings;
  },
): Promise<Store> {
  const url = storeUrl(settings, parts.dir, parts.env);
  const password = /^[^:]+:\/\/[^:@/]*:([^@/]+)@/.exec(url)?.[1];
  if (password !== undefined) for (const text of [password, safely(password)]) parts.redactor.add(text);
  const { openPostgresStore } = await import("../../storage/postgres/postgres-store.ts");
  return openPostgresStore(url, parts.rules, parts.node === undefined ? {} : { name: nameAmongOthers(parts.node) });
}

function safely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
