/**
 * The fragment of the address that `agent-worker ui` opens: a code that is valid once, and the project. Later the page
 * uses the fragment for its route.
 */
export interface SignInLink {
  readonly code: string;
  readonly project: string | undefined;
}

/** Undefined for an address with a route, or without a code. */
export function parseSignInLink(address: string): SignInLink | undefined {
  const fragment = address.slice(address.indexOf("#") + 1);
  if (!address.includes("#") || fragment.startsWith("/")) return undefined;
  const fields = new URLSearchParams(fragment);
  const code = fields.get("code") ?? "";
  const project = fields.get("project") ?? "";
  return code === "" ? undefined : { code, project: project === "" ? undefined : project };
}
