/** What the page shows, and how that stands in its address: behind the `#`, where it stays with the browser. */
export type Place =
  | { readonly view: "overview" }
  | { readonly view: "decisions" }
  | { readonly view: "channel"; readonly space: string }
  | { readonly view: "documents"; readonly space: string; readonly file: string | undefined }
  | { readonly view: "rules"; readonly space: string }
  | { readonly view: "agent"; readonly agent: string }
  | { readonly view: "runs"; readonly target: string | undefined }
  | { readonly view: "run"; readonly run: string };

export function addressOf(place: Place): string {
  const part = encodeURIComponent;
  switch (place.view) {
    case "overview":
      return "#/";
    case "decisions":
      return "#/decisions";
    case "channel":
      return `#/channel/${part(place.space)}`;
    case "documents":
      return `#/documents/${part(place.space)}${place.file === undefined ? "" : `/${part(place.file)}`}`;
    case "rules":
      return `#/rules/${part(place.space)}`;
    case "agent":
      return `#/agent/${part(place.agent)}`;
    case "runs":
      return `#/runs${place.target === undefined ? "" : `/${part(place.target)}`}`;
    case "run":
      return `#/run/${part(place.run)}`;
  }
}

/** An address that leads nowhere leads to the overview. */
export function placeAt(hash: string): Place {
  const [view = "", first, second] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  if (view === "decisions") return { view };
  if (view === "runs") return { view, target: first };
  if (first === undefined || first === "") return { view: "overview" };
  switch (view) {
    case "channel":
    case "rules":
      return { view, space: first };
    case "documents":
      return { view, space: first, file: second };
    case "agent":
      return { view, agent: first };
    case "run":
      return { view, run: first };
    default:
      return { view: "overview" };
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
