/** The bearer token of a page begins with it. */
export const PAGE_TOKEN_MARK = "awu_";

/** The bearer token of a page: its proof and the id of its session. */
export function pageToken(session: string, proof: string): string {
  return `${PAGE_TOKEN_MARK}${proof}.${session}`;
}

/**
 * What the page proves its key for, with HMAC-SHA-256: a challenge that only this daemon process makes, and the host
 * and port in the address of the page. So the proof is worthless to another program that gets the port after the
 * daemon, or that passes requests on from its own port.
 */
export function pageProofText(challenge: string, host: string): string {
  return `${challenge}\n${host}`;
}
