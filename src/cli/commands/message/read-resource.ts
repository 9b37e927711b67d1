import type { ResourcePageView } from "../../../contract/resources.ts";
import type { Invocation } from "../../invocation.ts";

/** The most characters that the daemon returns at once. */
const PAGE = 100_000;

/** Yields the pages of a resource from beginning to end. */
export async function* readResource(
  call: Invocation["call"],
  id: string,
  target?: string,
): AsyncGenerator<ResourcePageView> {
  for (let offset: number | null = 0; offset !== null;) {
    const page: ResourcePageView = await call("read-resource", { id, target, offset, limit: PAGE });
    yield page;
    offset = page.next;
  }
}
