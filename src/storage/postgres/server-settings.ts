import { accessSync, constants } from "node:fs";
import { Fault } from "../../kernel/fault.ts";

/** Where a store on PostgreSQL is. */
export interface ServerSettings {
  /** Tried in their order; the first that accepts writes is used. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly user: string;
  readonly database: string;
  /** One project is one schema of the database. */
  readonly schema: string;
  /** The URL for the client: one host, with the password and with parameters such as `sslmode`. Never shown. */
  readonly urlOf: (host: { readonly host: string; readonly port: number }) => string;
  /** For people: without the password. */
  readonly shown: string;
}

const DEFAULT_SCHEMA = "agent_worker";
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,40}$/;
const PARTS = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i;

/** Parses `postgres://user:password@host:port,host:port/database?schema=name&sslmode=require`. Throws a Fault. */
export function parseServerUrl(url: string): ServerSettings {
  const [, login = "", hostList = "", database = "", query = ""] = PARTS.exec(url.trim()) ?? refuseUrl();
  const split = login.indexOf(":");
  const user = decode(split === -1 ? login : login.slice(0, split)) || "postgres";
  const password = split === -1 ? process.env["PGPASSWORD"] : decode(login.slice(split + 1));
  const secret = password === undefined ? "" : `:${encodeURIComponent(password)}`;
  const hosts = hostList.split(",").map((each) => hostOf(each.trim()));
  const parameters = new URLSearchParams(query);
  const schema = parameters.get("schema") ?? DEFAULT_SCHEMA;
  if (!SCHEMA_NAME.test(schema)) {
    throw new Fault("project_invalid", `"${schema.slice(0, 60)}" cannot be the name of a schema.`, {
      hint: "Use lower case letters, digits and _, at most 41.",
    });
  }
  checkEncryption(parameters);
  for (const own of ["schema", "target_session_attrs"]) parameters.delete(own);
  // The words of sslmode mean what they mean for every other client of PostgreSQL.
  if (parameters.has("sslmode") && !parameters.has("uselibpqcompat")) parameters.set("uselibpqcompat", "true");
  const name = decode(database) || user;
  const place = (at: { readonly host: string; readonly port: number }): string =>
    `${at.host.includes(":") ? `[${at.host}]` : at.host}:${at.port}`;
  return {
    hosts,
    user,
    database: name,
    schema,
    urlOf: (at) =>
      `postgres://${encodeURIComponent(user)}${secret}@${place(at)}/${encodeURIComponent(name)}?${parameters.toString()}`,
    shown: `postgres://${user}@${hosts.map(place).join(",")}/${name} (schema ${schema})`,
  };
}

const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"];

function checkEncryption(parameters: URLSearchParams): void {
  const mode = parameters.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw new Fault("project_invalid", `"${mode.slice(0, 60)}" is no sslmode.`, {
      hint: `Use one of ${SSL_MODES.join(", ")}.`,
    });
  }
  if (mode === "verify-ca" && !parameters.has("sslrootcert")) {
    throw new Fault("project_invalid", "sslmode=verify-ca needs to know the authority.", {
      hint: "Name its certificate, sslrootcert=/path/ca.crt, or use verify-full.",
    });
  }
  for (const name of ["sslrootcert", "sslcert", "sslkey"]) {
    const file = parameters.get(name);
    if (file !== null && !isReadable(file)) {
      throw new Fault("project_invalid", `The file ${file} cannot be read, which ${name} of the store names.`, {
        hint: "Write the absolute path of a file that the daemon may read.",
      });
    }
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function hostOf(text: string): { host: string; port: number } {
  const [, ipv6, name, port = "5432"] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? refuseUrl();
  return { host: ipv6 ?? (name === undefined || name === "" ? "localhost" : name), port: Number(port) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuseUrl();
  }
}

/** Says nothing of the URL itself: it may contain a password. */
function refuseUrl(): never {
  throw new Fault("project_invalid", "The URL of the store cannot be read.", {
    hint: "Write it like postgres://user:password@host:5432/database",
  });
}
