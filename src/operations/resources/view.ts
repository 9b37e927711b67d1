import type { ResourceView } from "../../contract/resources.ts";
import type { ResourceRecord } from "../../ports/store/resource.ts";

export function toResourceView({ id, type, encoding, bytes, createdBy, createdAt }: ResourceRecord): ResourceView {
  return { id, type, encoding, bytes, createdBy, createdAt: new Date(createdAt).toISOString() };
}
