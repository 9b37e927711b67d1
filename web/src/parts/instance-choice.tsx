import { useOperation } from "../state/page-context.ts";
import { hrefOf, type Route } from "../state/route.ts";
import { currentSpace } from "../text/space-name.ts";
import { clockTime, dayOf } from "../text/time.ts";

/** Chooses the instance of a workspace that a view shows. Nothing while there is only one. */
export function InstanceChoice({
  space,
  routeOf,
}: {
  readonly space: string;
  readonly routeOf: (space: string) => Route;
}) {
  const shown = useOperation("show-workspace", { target: space }, ["workspaces"]);
  if (shown?.ok !== true || shown.value.earlier.length === 0) return null;
  return (
    <label class="instance-choice">
      Instance{" "}
      <select value={space} onChange={(event) => (location.hash = hrefOf(routeOf(event.currentTarget.value)))}>
        <option value={currentSpace(space)}>the current one</option>
        {shown.value.earlier.map((each) => (
          <option key={each.space} value={each.space}>
            {`${each.instance}: ${dayOf(each.openedAt)} ${clockTime(each.openedAt)}`}
          </option>
        ))}
      </select>
    </label>
  );
}
