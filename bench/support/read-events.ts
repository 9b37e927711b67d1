import { request, type IncomingMessage } from "node:http";

const PATIENCE_MS = 60_000;

/** Reads the events of a daemon's first project until one part of them is what was waited for. The rest is still to come. */
export function readEvents(
  { url, token, since }: { readonly url: string; readonly token: string; readonly since?: number },
  isEnough: (text: string) => boolean = () => true,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = since === undefined ? "/events" : `/events?since=${since}`;
    const asking = request(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      agent: false,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    asking.once("error", reject);
    asking.once("response", (response) => {
      let text = "";
      const onData = (chunk: string): void => {
        text += chunk;
        if (!isEnough(text)) return;
        response.off("data", onData);
        resolve(response.resume());
      };
      response.setEncoding("utf8").on("data", onData);
      response.on("error", () => {}); // It is cut off in the end.
      response.once("end", () => reject(new Error(`the events ended with: ${text.slice(-500)}`)));
    });
    asking.end();
  });
}
