import { operations } from "../../src/contract/operations.ts";
import { GENERATED_NOTE } from "./generated-note.ts";

/** Returns a page of every operation with its route; the schemas are in the daemon's own `/openapi.json`. */
export function routeReference(): string {
  const rows = operations.map(
    ({ name, summary, method, path }) => `| \`${method} ${path}\` | \`${name}\` | ${summary.replaceAll("|", "\\|")} |`,
  );
  return [
    "# Routes",
    "",
    GENERATED_NOTE,
    "",
    "Fields of an operation that are not in the path go into the query of a GET or DELETE, and into the JSON body of a",
    "POST or PUT. `GET /openapi.json` of a running daemon has the schemas. Beside these there are `GET /health`,",
    "`POST /shutdown`, `POST /run`, `POST /serve`, `GET /events`, `POST /agents/:name/stop`, `/mcp`, and for the web page",
    "`GET /`, `GET /ui/:file`, `POST /ui/codes`, `POST`, `GET` and `DELETE /ui/sessions`, and `DELETE /ui/sessions/:id`.",
    "`POST /own-proposals/NAME` makes a [proposal of your own](../guides/proposals.md); its body is the input.",
    "",
    "| route | operation | |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
