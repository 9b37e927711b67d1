import { Fault } from "../../kernel/fault.ts";
import type { ServerSettings } from "./server-settings.ts";

type Explain = (settings: ServerSettings) => { readonly message: string; readonly hint: string };

const WAITS = "Work goes on by itself when it is there again.";
const unreachable: Explain = ({ shown }) => ({
  message: `The database server does not answer: ${shown}.`,
  hint: `Check that it runs and that the host and the port are right. ${WAITS}`,
});
const restarting: Explain = ({ shown }) => ({ message: `The database server is restarting: ${shown}.`, hint: WAITS });
const login: Explain = ({ user, shown }) => ({
  message: `The database server refused the user "${user}" or the password: ${shown}.`,
  hint: "Set the right password in the variable that the project file (moniro.yaml) names, and restart the daemon.",
});

const untrusted: Explain = ({ shown }) => ({
  message: `The certificate of the database server is not trusted: ${shown}.`,
  hint: "Name the certificate of the authority that signed it: ?sslmode=verify-full&sslrootcert=/path/ca.crt",
});

/** By SQLSTATE, or by the code of Node. */
const REASONS: Readonly<Record<string, Explain>> = {
  "28P01": login,
  "28000": login,
  "3D000": ({ database, user }) => ({
    message: `There is no database "${database}" on the server.`,
    hint: `Make it: CREATE DATABASE "${database}" OWNER "${user}";`,
  }),
  "42501": ({ user, database, schema }) => ({
    message: `The user "${user}" may not use the schema "${schema}".`,
    hint: `Let it: GRANT CREATE ON DATABASE "${database}" TO "${user}"; or make it the owner of the schema.`,
  }),
  "53300": ({ shown }) => ({
    message: `The database server has too many connections: ${shown}.`,
    hint: "Raise max_connections, or end other sessions.",
  }),
  "57P01": restarting,
  "57P02": restarting,
  "57P03": restarting,
  "25006": ({ shown }) => ({
    message: `The database server accepts no writes: ${shown}.`,
    hint: `It is a standby. Name all servers in the URL, host1,host2, or promote it. ${WAITS}`,
  }),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: ({ shown }) => ({
    message: `The certificate of the database server has expired: ${shown}.`,
    hint: "Renew it on the server.",
  }),
  ERR_TLS_CERT_ALTNAME_INVALID: ({ hosts, shown }) => ({
    message: `The certificate of the database server is not for ${hosts.map(({ host }) => host).join(" or ")}: ${shown}.`,
    hint: "Write the name that is in the certificate into the URL, or use sslmode=verify-ca, which does not compare it.",
  }),
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
};

const NETWORK = /^(ECONN|ETIMEDOUT|EHOST|ENET|EPIPE|08)/;
const LOST =
  /Connection terminated|connection timeout|timeout expired|Client was closed|not queryable|Connection ended/i;

/** Whether the connection is gone, or the server ended it: the transaction did not happen unless its COMMIT was sent. */
export function isLost(error: unknown): boolean {
  if (error instanceof Fault) return error.code === "database_unreachable";
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // 25006: the server became a standby. 25P03 and 25P04: the server ended a connection that was idle inside a transaction, or a transaction that took too long.
  return /^(57P0[123]|25006|25P0[34])$/.test(code) || NETWORK.test(code) || (code === "" && LOST.test(error.message));
}

/** Turns an error of PostgreSQL or of the network into the Fault it means. Returns any other error as it is: a bug. */
export function postgresFault(error: unknown, settings: ServerSettings): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error;
  const first = error instanceof AggregateError ? ((error.errors[0] as Error | undefined) ?? error) : error;
  const code = codeOf(first);
  if (code === "53100") {
    return new Fault("disk_full", "The disk of the database server is full: nothing was written.", {
      cause: error,
      hint: "Free some space there; work goes on by itself.",
    });
  }
  if (code === "58030" || code === "XX001" || code === "XX002") {
    return new Fault("database_damaged", "The database server cannot read or write its files.", {
      cause: error,
      hint: "See the log of the server, and restore a backup if its data is damaged.",
    });
  }
  if (code === "57014" || code === "55P03") {
    return new Fault("database_locked", "The database server took too long: nothing was written.", {
      cause: error,
      hint: "See what it waits for: agent-worker doctor",
    });
  }
  const explain = encryptionReason(first) ?? REASONS[code] ?? (isLost(first) ? unreachable : undefined);
  if (explain === undefined) return error;
  const { message, hint } = explain(settings);
  return new Fault("database_unreachable", message, { cause: error, hint });
}

/** What client and server do not agree on about encryption. They say it only in words. */
function encryptionReason({ message }: Error): Explain | undefined {
  if (message.includes("does not support SSL")) {
    return ({ shown }) => ({
      message: `The database server does not encrypt: ${shown}.`,
      hint: "Switch on `ssl` on the server, or use sslmode=disable if nobody else can listen between.",
    });
  }
  if (!message.includes("no pg_hba.conf entry")) return undefined;
  return ({ user, database, shown }) => ({
    message: message.includes("no encryption")
      ? `The database server wants an encrypted connection, or does not let "${user}" in from here: ${shown}.`
      : `The database server does not let "${user}" into "${database}" from here: ${shown}.`,
    hint: message.includes("no encryption")
      ? "Add ?sslmode=require to the URL. Otherwise add a line to pg_hba.conf on the server."
      : "Add a line to pg_hba.conf on the server.",
  });
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
