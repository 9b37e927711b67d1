import { wakeEdges, type WakeEdge } from "../../state/charts/timeline.ts";
import type { TimedRunView } from "../../../../src/contract/activity/timeline.ts";
import { useTeam } from "../../state/page-context.ts";
import { ACTIVITY_CLASSES, activityOf } from "../../state/run-activity.ts";
import { hueOf } from "../../text/agent-colour.ts";
import { countOf } from "../../text/figures.ts";
import { visibleText } from "../../text/visible-text.ts";

/** More names than this cannot be read. The busiest are shown. */
const MOST_NAMES = 20;
const NODE_RADIUS = 9;

/** Text is as large on a phone as on a large screen, so there is less room beside it. */
function roomOf(): Place {
  return matchMedia("(max-width: 760px)").matches ? { x: 380, y: 340 } : { x: 760, y: 380 };
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Who woke whom, as arrows between names. The names of those at work breathe. */
export function WakeGraph({ runs }: { readonly runs: readonly TimedRunView[] }) {
  const team = useTeam((state) => state.runs);
  const blocked = useTeam((state) => state.blocked);
  const room = roomOf();
  const edges = wakeEdges(runs);
  const names = busiest(edges);
  const places = new Map(names.map((name, at) => [name, placeOf(at, names.length, room)]));
  const shown = edges.filter(({ from, to }) => places.has(from) && places.has(to));
  const most = Math.max(1, ...shown.map(({ count }) => count));
  return (
    <svg
      class="wake-graph"
      viewBox={`0 0 ${room.x} ${room.y}`}
      role="img"
      aria-label={`Who woke whom: ${shown.map(sentence).join("; ")}`}
    >
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="11"
          markerHeight="11"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 0 L8 4 L0 8 z" class="arrow" />
        </marker>
      </defs>
      {shown.map((edge) => (
        <Arrow key={`${edge.from} ${edge.to}`} edge={edge} places={places} most={most} />
      ))}
      {[...places].map(([name, { x, y }]) => {
        const run = team.find(({ agent }) => agent === name);
        const doing = run === undefined ? "" : ACTIVITY_CLASSES[activityOf(run, blocked)];
        return (
          <g key={name} class={`node ${doing} ${name === "user" || name === "system" ? name : `hue-${hueOf(name)}`}`}>
            <circle cx={x} cy={y} r={NODE_RADIUS} />
            <text x={x} y={y < room.y / 2 ? y - NODE_RADIUS - 7 : y + NODE_RADIUS + 17} text-anchor="middle">
              {name === "user" ? "you" : visibleText(name)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function sentence({ from, to, count }: WakeEdge): string {
  return `${from === "user" ? "you" : from} woke ${to} ${countOf(count, "time")}`;
}

function busiest(edges: readonly WakeEdge[]): readonly string[] {
  const weights = new Map<string, number>();
  for (const { from, to, count } of edges) {
    for (const name of [from, to]) weights.set(name, (weights.get(name) ?? 0) + count);
  }
  const chosen = [...weights].toSorted(([, a], [, b]) => b - a).slice(0, MOST_NAMES);
  // In the order of their names, so that a new message does not move everybody.
  return chosen.map(([name]) => name).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function rank(name: string): number {
  return name === "user" ? 0 : name === "system" ? 1 : 2;
}

function placeOf(at: number, of: number, room: Place): Place {
  const angle = (at / Math.max(1, of)) * 2 * Math.PI - Math.PI / 2;
  return {
    x: room.x / 2 + Math.cos(angle) * (room.x / 2 - 70),
    y: room.y / 2 + Math.sin(angle) * (room.y / 2 - 36),
  };
}

function Arrow({
  edge: { from, to, count },
  places,
  most,
}: {
  readonly edge: WakeEdge;
  readonly places: ReadonlyMap<string, Place>;
  readonly most: number;
}) {
  const [a, b] = [places.get(from), places.get(to)];
  if (a === undefined || b === undefined) return null;
  const title = <title>{sentence({ from, to, count })}</title>;
  const width = 1 + (count / most) * 1.5;
  if (from === to) {
    const path = `M ${a.x - 6} ${a.y + 7} C ${a.x - 34} ${a.y + 44}, ${a.x + 34} ${a.y + 44}, ${a.x + 6} ${a.y + 9}`;
    return (
      <path d={path} class="edge" stroke-width={width} marker-end="url(#arrow)">
        {title}
      </path>
    );
  }
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  // To one side, so that the way back is another line.
  const middle = { x: (a.x + b.x) / 2 - dy * 22, y: (a.y + b.y) / 2 + dx * 22 };
  const end = { x: b.x - dx * (NODE_RADIUS + 3), y: b.y - dy * (NODE_RADIUS + 3) };
  return (
    <path
      d={`M ${a.x} ${a.y} Q ${middle.x} ${middle.y} ${end.x} ${end.y}`}
      class="edge"
      stroke-width={width}
      marker-end="url(#arrow)"
    >
      {title}
    </path>
  );
}
