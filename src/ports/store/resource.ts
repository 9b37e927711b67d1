/** How the content of a resource is written: as the text it is, or as the base64 of bytes that are no text. */
export type ResourceEncoding = "utf8" | "base64";

/** Large content, stored once per distinct content and never changed. */
export interface ResourceRecord {
  /** `res_` and the first 32 hex digits of the SHA-256 of the content. */
  readonly id: string;
  readonly type: string;
  readonly encoding: ResourceEncoding;
  /** Of the content itself, not of its base64. */
  readonly bytes: number;
  readonly createdBy: string;
  readonly createdAt: number;
}

export interface ResourceReads {
  byId(id: string): Promise<ResourceRecord | undefined>;
  /** Whether the resource was created or posted in this space: it can be read only there. */
  inSpace(id: string, space: string): Promise<boolean>;
  /** The whole content, in its encoding. */
  content(id: string): Promise<string | undefined>;
}

export interface ResourceWrites {
  /** Storing the same content again changes nothing but the spaces it is known in. */
  put(resource: ResourceRecord, content: string, space: string): Promise<void>;
}
