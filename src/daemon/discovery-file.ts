import { rmSync } from "node:fs";
import { join } from "node:path";
import { readDiscovery } from "../client/discovery.ts";
import { DISCOVERY_FILE, type Discovery } from "../contract/service/discovery.ts";
import { writePrivateFile } from "../files/private-file.ts";

/** Registers this daemon. The caller has locked the home, so any earlier registration is stale and is replaced. */
export function writeDiscovery(home: string, discovery: Discovery): void {
  writePrivateFile(join(home, DISCOVERY_FILE), `${JSON.stringify(discovery, null, 2)}\n`);
}

/** Removes the registration of this daemon process only. Never throws: a stale registration does no harm. */
export function removeDiscovery(home: string, instance: string): void {
  try {
    const registration = readDiscovery(home);
    if (registration.state !== "claimed" || registration.daemon.instance !== instance) return;
    rmSync(join(home, DISCOVERY_FILE), { force: true });
  } catch {
    // The next client finds that no daemon answers there.
  }
}
