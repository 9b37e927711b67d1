import type { ServiceRequest } from "../served-route.ts";

/**
 * A file of the web page. No token is needed to load it: it holds no secret, and the page can do nothing without a
 * token. The policy allows only the scripts of the page and requests to its own daemon. Text never becomes markup, so
 * what agents write cannot run in the page.
 */
export interface PageFile {
  readonly type: string;
  /** Returns the content in an encoding. */
  body(encoding: PageEncoding): Buffer;
  readonly etag: string;
}

/** How the content is sent, the smallest first. */
export const PAGE_ENCODINGS = ["br", "gzip", "identity"] as const;
export type PageEncoding = (typeof PAGE_ENCODINGS)[number];

/** Returns undefined when there is no such file. */
export type PageFiles = (name: string) => PageFile | undefined;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
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

/** Revalidated each time, and sent again only when it has changed. */
const REVALIDATE = "no-cache";
/** The name contains the hash of the content: a file of that name never changes. */
const IMMUTABLE = "public, max-age=31536000, immutable";
const HASHED_NAME = /-[\w-]{8,}\.\w+$/;

export function sendPageFile({ request, response, headers }: ServiceRequest, name: string, file: PageFile): void {
  const encoding = acceptedEncoding(request.headers["accept-encoding"]?.toString() ?? "");
  const etag = encoding === "identity" ? file.etag : file.etag.replace(/"$/, `-${encoding}"`);
  const isCached = request.headers["if-none-match"]?.split(/\s*,\s*/).includes(etag) === true;
  const body = isCached ? undefined : file.body(encoding);
  response.writeHead(isCached ? 304 : 200, {
    ...headers,
    ...PAGE_HEADERS,
    etag,
    vary: "accept-encoding",
    "cache-control": HASHED_NAME.test(name) ? IMMUTABLE : REVALIDATE,
    ...(body === undefined ? {} : { "content-type": file.type, "content-length": body.length }),
    ...(body === undefined || encoding === "identity" ? {} : { "content-encoding": encoding }),
  });
  response.end(body);
}

function acceptedEncoding(accepted: string): PageEncoding {
  const names = accepted.split(",").flatMap((each) => {
    const [name = "", ...options] = each
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return options.some((option) => /^q=0(?:\.0*)?$/.test(option)) ? [] : [name];
  });
  return PAGE_ENCODINGS.find((encoding) => names.includes(encoding)) ?? "identity";
}
