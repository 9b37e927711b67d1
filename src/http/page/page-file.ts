import type { ServiceRequest } from "../served-route.ts";

/**
 * The files of the web page, as they are sent. They are for everybody who can reach the daemon: nothing in them is
 * secret, and they can do nothing without a token. The policy lets the page run its own script and speak to its own
 * daemon, and forbids it the rest, above all to turn text into markup: what agents write cannot run in it.
 */
export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

/** By its name; undefined when there is none. */
export type PageFiles = (name: string) => PageFile | undefined;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
};

/** Asked for again each time, and sent again only when it has changed. */
const LOOK_EACH_TIME = "no-cache";
/** Its name has the hash of its content: under that name it never changes. */
const FOR_EVER = "public, max-age=31536000, immutable";
const HASHED_NAME = /-[\w-]{8,}\.\w+$/;

export function sendPageFile({ request, response, headers }: ServiceRequest, name: string, file: PageFile): void {
  const known = request.headers["if-none-match"]?.split(/\s*,\s*/).includes(file.etag) === true;
  response.writeHead(known ? 304 : 200, {
    ...headers,
    ...PAGE_HEADERS,
    etag: file.etag,
    "cache-control": HASHED_NAME.test(name) ? FOR_EVER : LOOK_EACH_TIME,
    ...(known ? {} : { "content-type": file.type, "content-length": file.body.length }),
  });
  response.end(known ? undefined : file.body);
}
