const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** The token of an `Authorization` header; undefined when it has none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}
