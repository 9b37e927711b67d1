import { ownVersion } from "../../client/own-version.ts";
import { ENGINE_NAMES, type EngineName } from "../../domain/agent/engines.ts";
import { readSystemPrompt } from "../../files/definitions/system-prompt-file.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { OwnNode } from "../../ports/own-node.ts";
import type { Store } from "../../ports/store/store.ts";
import { createOwnNode } from "../../runtime/node/own-node.ts";
import { createDefinitionFingerprints } from "./definition-fingerprints.ts";
import { loneNode, nameAmongOthers, type NodeSettings } from "./node-settings.ts";

export interface ProjectNodeParts {
  readonly dir: string;
  readonly instance: string;
  readonly definitions: Definitions;
  readonly store: Pick<Store, "shared">;
  /** Which node the daemon is. Absent: one that is named after the machine. */
  readonly node?: NodeSettings | undefined;
  /** Returns the engines that can be used on this machine. Asked only where other nodes may have others. */
  readonly usableEngines?: (() => Promise<readonly EngineName[]>) | undefined;
}

/** The node that a daemon is in one project. Alone on its store it need not say what it can do: nobody asks. */
export async function createProjectNode(parts: ProjectNodeParts): Promise<OwnNode & Disposable> {
  const { dir, instance, definitions, store } = parts;
  const settings = parts.node ?? loneNode();
  const { labels, capacity, machine } = settings;
  const name = store.shared ? nameAmongOthers(settings) : settings.name;
  const usable = store.shared ? await parts.usableEngines?.() : undefined;
  const fingerprints = createDefinitionFingerprints(definitions, (prompt) => {
    const text = readSystemPrompt(dir, prompt);
    return text.ok ? text.value : "";
  });
  const facts = () => ({
    name,
    instance,
    machine,
    labels,
    capacity,
    engines: usable ?? ENGINE_NAMES,
    version: ownVersion(),
    definitions: store.shared ? fingerprints.current() : {},
  });
  const node = createOwnNode(facts, { alone: !store.shared, leaseMs: settings.leaseMs });
  return { ...node, [Symbol.dispose]: () => fingerprints[Symbol.dispose]() };
}
