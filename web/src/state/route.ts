/** The view that the page shows. It is in the fragment of the address, which a browser does not send to a server. */
export type Route =
  | { readonly view: "overview" }
  | { readonly view: "decisions" }
  /** `message`: the sequence number of the message that the address names. */
  | { readonly view: "channel"; readonly space: string; readonly message?: number | undefined }
  | { readonly view: "documents"; readonly space: string; readonly file: string | undefined }
  | { readonly view: "rules"; readonly space: string }
  | { readonly view: "agent"; readonly agent: string }
  | { readonly view: "files"; readonly file: string | undefined }
  | { readonly view: "schedules" }
  | { readonly view: "setup" }
  | { readonly view: "runs"; readonly target: string | undefined }
  /** `step`: replay it from this step on. */
  | { readonly view: "run"; readonly run: string; readonly step?: number | undefined }
  /** Messages that belong together by their causes, around one. */
  | { readonly view: "related"; readonly space: string; readonly message: number }
  /** Who woke whom, in the whole project or in one place. */
  | { readonly view: "team"; readonly target: string | undefined }
  /** The same for a chain of messages: the id of one of its runs or messages. */
  | { readonly view: "chain"; readonly id: string }
  | { readonly view: "usage" };

export function hrefOf(route: Route): string {
  const part = encodeURIComponent;
  switch (route.view) {
    case "overview":
      return "#/";
    case "decisions":
      return "#/decisions";
    case "channel":
      return `#/channel/${part(route.space)}${route.message === undefined ? "" : `/${route.message}`}`;
    case "documents":
      return `#/documents/${part(route.space)}${route.file === undefined ? "" : `/${part(route.file)}`}`;
    case "rules":
      return `#/rules/${part(route.space)}`;
    case "files":
      return `#/files${route.file === undefined ? "" : `/${part(route.file)}`}`;
    case "schedules":
    case "setup":
      return `#/${route.view}`;
    case "agent":
      return `#/agent/${part(route.agent)}`;
    case "runs":
      return `#/runs${route.target === undefined ? "" : `/${part(route.target)}`}`;
    case "run":
      return `#/run/${part(route.run)}${route.step === undefined ? "" : `/${route.step}`}`;
    case "related":
      return `#/related/${part(route.space)}/${route.message}`;
    case "team":
      return `#/team${route.target === undefined ? "" : `/${part(route.target)}`}`;
    case "chain":
      return `#/chain/${part(route.id)}`;
    case "usage":
      return "#/usage";
  }
}

/** Returns the overview for an unknown address. */
export function parseRoute(hash: string): Route {
  const [view = "", first, second] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  if (view === "decisions") return { view };
  if (view === "usage") return { view };
  if (view === "runs" || view === "team") return { view, target: first };
  if (view === "schedules" || view === "setup") return { view };
  if (view === "files") return { view, file: first === "" ? undefined : first };
  if (first === undefined || first === "") return { view: "overview" };
  switch (view) {
    case "channel":
      return isNumber(second) ? { view, space: first, message: Number(second) } : { view, space: first };
    case "related":
      return isNumber(second) ? { view, space: first, message: Number(second) } : { view: "channel", space: first };
    case "chain":
      return { view, id: first };
    case "rules":
      return { view, space: first };
    case "documents":
      return { view, space: first, file: second };
    case "agent":
      return { view, agent: first };
    case "run":
      return isNumber(second) ? { view, run: first, step: Number(second) } : { view, run: first };
    default:
      return { view: "overview" };
  }
}

function isNumber(part: string | undefined): boolean {
  return /^[1-9]\d{0,15}$/.test(part ?? "");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
