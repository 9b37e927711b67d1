import { readEnvFile } from "../../files/project/env-file.ts";
import { Fault } from "../../kernel/fault.ts";
import type { StoreSettings } from "../../ports/definitions.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the URL of a store on a server, with its schema. The variable is looked up in the environment, then in the
 * `.env` of the project. Throws a Fault that does not contain the URL.
 */
export function storeUrl({ url = "", schema }: StoreSettings, dir: string, env: Environment): string {
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
