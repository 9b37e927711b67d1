import type { ResourcePageView } from "../../contract/resources.ts";
import type { Invocation } from "../invocation.ts";

/** As many characters as the daemon gives at once. */
const PAGE = 100_000;

/** A resource, part by part, from beginning to end. */
export async function* readResource(
  ask: Invocation["ask"],
  id: string,
  target?: string,
): AsyncGenerator<ResourcePageView> {
  for (let offset: number | null = 0; offset !== null;) {
    const page: ResourcePageView = await ask("read-resource", { id, target, offset, limit: PAGE });
    yield page;
    offset = page.next;
  }
}
