/**
 * The header that names the project a request is about, by the absolute path of its folder, percent-encoded. Absent: the
 * daemon's first project.
 */
export const PROJECT_HEADER = "x-agent-worker-project";

/** The version of the daemon, in every response. */
export const VERSION_HEADER = "x-agent-worker-version";

/**
 * A client sends a nonce in the challenge header. `GET /health` returns its HMAC-SHA-256 under the person's token, in
 * hexadecimal, in the proof header. So the client knows that it is connected to its daemon before it sends the token.
 * In the other direction, a response 401 has the challenge of the daemon, for which a page proves its key: see
 * `contract/service/page.ts`.
 */
export const CHALLENGE_HEADER = "x-agent-worker-challenge";
export const PROOF_HEADER = "x-agent-worker-proof";

/**
 * The client proves in the same header of its request that it knows the token, too. This gives it no rights; the daemon
 * then keeps the connection when others open too many. No challenge contains a space, so the daemon never gives this
 * proof away.
 */
export function clientProofText(nonce: string): string {
  return `client ${nonce}`;
}

/** The code that a page exchanges for a session: see `contract/service/page.ts`. */
export const CODE_HEADER = "x-agent-worker-code";
