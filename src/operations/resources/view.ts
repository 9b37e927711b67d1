import type { ResourceView } from "../../contract/resources.ts";
import type { ResourceRecord } from "../../ports/store/resource.ts";

export function toResourceView({ id, type, bytes, createdBy, createdAt }: ResourceRecord): ResourceView {
  return { id, type, bytes, createdBy, createdAt: new Date(createdAt).toISOString() };
}
