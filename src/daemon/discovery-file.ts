import { rmSync } from "node:fs";
import { join } from "node:path";
import { readDiscovery } from "../client/discovery.ts";
import { DISCOVERY_FILE, type Discovery } from "../contract/service/discovery.ts";
import { writePrivateFile } from "./private-file.ts";

/** Registers this daemon. Who holds the home's lock is the daemon: any earlier registration is stale and replaced. */
export function writeDiscovery(home: string, discovery: Discovery): void {
  writePrivateFile(join(home, DISCOVERY_FILE), `${JSON.stringify(discovery, null, 2)}\n`);
}

/** Removes the registration of this life of the daemon, and no other. Never throws: a stale one does no harm. */
export function removeDiscovery(home: string, instance: string): void {
  try {
    const registration = readDiscovery(home);
    if (registration.state !== "claimed" || registration.daemon.instance !== instance) return;
    rmSync(join(home, DISCOVERY_FILE), { force: true });
  } catch {
    // Whoever comes next finds that nobody answers there.
  }
}
