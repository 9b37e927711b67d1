/**
 * Which layer may import which. A layer is a folder of `src/`, or `web/`, which runs in a browser; it may always import
 * itself. `docs/architecture.md` has the same table; `check-layers.ts` compares both with the code. A new row or entry is
 * a decision: layers that change often import layers that change rarely, and the inner layers know no database, engine
 * or wire format.
 */
export type LayerName =
  | "kernel"
  | "domain"
  | "ports"
  | "contract"
  | "files"
  | "storage"
  | "engines"
  | "guard"
  | "operations"
  | "runtime"
  | "http"
  | "mcp"
  | "client"
  | "cli"
  | "daemon"
  | "testing"
  | "web";

/** `everything` is for composition roots. It excludes the layer `testing`, which only tests and itself may import. */
export type Allowed<Name> = readonly Name[] | "everything";

export interface Layer {
  readonly imports: Allowed<LayerName>;
  /** Imported with `import type` only: nothing of it is loaded. */
  readonly types?: readonly LayerName[];
  /** npm packages, without subpath. */
  readonly packages: Allowed<string>;
  /** Parts of Node, with `node:`. */
  readonly builtins: Allowed<string>;
}

const pure = ["node:buffer", "node:crypto", "node:timers/promises", "node:util"];
const disk = ["node:fs", "node:fs/promises", "node:os", "node:path", "node:url"];
const network = ["node:http", "node:https", "node:net", "node:stream"];
const processes = ["node:child_process", "node:events", "node:readline", "node:stream", "node:string_decoder"];

export const layers: Readonly<Record<LayerName, Layer>> = {
  kernel: { imports: [], packages: ["zod"], builtins: ["node:async_hooks", "node:crypto"] },
  domain: { imports: ["kernel"], packages: ["croner"], builtins: [] },
  ports: { imports: ["kernel", "domain"], packages: [], builtins: [] },
  contract: { imports: ["kernel", "domain"], packages: ["zod"], builtins: [] },
  files: {
    imports: ["kernel", "domain", "ports"],
    packages: ["yaml", "zod"],
    builtins: [...pure, ...disk, "node:child_process"],
  },
  storage: {
    imports: ["kernel", "domain", "ports", "files"],
    packages: ["pg"],
    builtins: [...pure, ...disk, "node:module", "node:sqlite"],
  },
  engines: {
    imports: ["kernel", "domain", "ports"],
    packages: ["@agentclientprotocol/sdk", "@ai-sdk/mcp", "ai", "just-bash", "zod"],
    builtins: [
      ...pure,
      ...disk,
      ...processes,
      "node:console",
      "node:async_hooks",
      "node:diagnostics_channel",
      "node:module",
    ],
  },
  guard: { imports: ["kernel", "domain", "ports"], packages: ["zod"], builtins: pure },
  operations: { imports: ["kernel", "domain", "ports", "contract", "guard"], packages: ["zod"], builtins: pure },
  runtime: {
    imports: ["kernel", "domain", "ports", "guard", "operations"],
    types: ["contract"],
    packages: [],
    builtins: [...pure, "node:async_hooks", "node:path"],
  },
  http: {
    imports: ["kernel", "domain", "contract", "operations", "runtime"],
    packages: ["zod"],
    builtins: [...pure, ...network],
  },
  mcp: {
    imports: ["kernel", "domain", "contract", "operations", "runtime"],
    packages: ["@modelcontextprotocol/server", "zod"],
    builtins: [...pure, ...network],
  },
  client: {
    imports: ["kernel", "contract"],
    types: ["operations"],
    packages: ["zod"],
    builtins: [...pure, ...disk, ...network, "node:child_process"],
  },
  cli: {
    imports: ["kernel", "domain", "contract", "client", "files", "daemon"],
    packages: ["@clack/prompts", "fast-string-truncated-width"],
    builtins: "everything",
  },
  daemon: { imports: "everything", packages: "everything", builtins: "everything" },
  testing: { imports: "everything", packages: "everything", builtins: "everything" },
  web: { imports: ["contract"], packages: ["marked", "preact"], builtins: [] },
};

/** Packages and builtins that belong to a few files of a layer. A folder ends in `/`. */
export const confined: Readonly<Record<string, readonly string[]>> = {
  "@clack/prompts": ["src/cli/prompts/"],
  croner: ["src/domain/schedule/"],
  "just-bash": ["src/engines/tools/"],
  "node:sqlite": ["src/storage/sqlite/connection.ts"],
};

/** Files that may import what only a running project knows: code that a person allowed. */
export const computedImports: readonly string[] = ["src/daemon/own-proposals/import-code.ts"];

/** What may be imported from outside `src/`: the package's own description, for its version. */
export const importableOutside: readonly string[] = ["package.json"];

export function isLayer(name: string): name is LayerName {
  return Object.hasOwn(layers, name);
}
