/**
 * What the address says behind its `#`. `agent-worker ui` puts a code there, good once, and the project that is meant;
 * the page itself only ever puts the place there that it shows.
 */
export interface Arrival {
  readonly code: string;
  readonly project: string | undefined;
}

/** Undefined for an address of the page's own, or one without a code. */
export function readArrival(address: string): Arrival | undefined {
  const fragment = address.slice(address.indexOf("#") + 1);
  if (!address.includes("#") || fragment.startsWith("/")) return undefined;
  const fields = new URLSearchParams(fragment);
  const code = fields.get("code") ?? "";
  const project = fields.get("project") ?? "";
  return code === "" ? undefined : { code, project: project === "" ? undefined : project };
}
