/**
 * The header that names the project a request is about, by the absolute path of its folder, percent-encoded. Absent: the
 * daemon's first project.
 */
export const PROJECT_HEADER = "x-agent-worker-project";

/** Every answer names the version of the daemon that gave it. */
export const VERSION_HEADER = "x-agent-worker-version";

/**
 * With a nonce in the first, `GET /health` answers in the second with the HMAC-SHA-256 of it under the person's token,
 * in hexadecimal: so a caller knows that it speaks to its daemon before it sends that token.
 */
export const CHALLENGE_HEADER = "x-agent-worker-challenge";
export const PROOF_HEADER = "x-agent-worker-proof";

/** The code by which a page asks for a token of its own: see `contract/service/page.ts`. */
export const CODE_HEADER = "x-agent-worker-code";
