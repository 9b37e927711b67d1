import type { RunEvent } from "../../contract/service/work-request.ts";

/** Shows what the setup of a workflow prints. */
export interface SetupDisplay {
  watch(text: string): void;
  /** Shows what is left of the last line. */
  end(): void;
}

/** Setup prints at its own speed: whoever watches gets so much of it, and is not dropped for reading too slowly. */
const SHOWN_CHARS = 256 * 1024;

/** Secrets are removed from whole lines, because one may come in two parts. */
export function showSetup(emit: (event: RunEvent) => void, redact: (text: string) => string): SetupDisplay {
  let left = SHOWN_CHARS;
  let line = "";
  const show = (text: string): void => {
    if (text !== "") emit({ type: "setup", text: redact(text) });
  };
  return {
    watch(text) {
      if (left <= 0) return;
      line += text.slice(0, left);
      left -= text.length;
      const end = left <= 0 ? line.length : Math.max(line.lastIndexOf("\n"), line.lastIndexOf("\r")) + 1;
      show(line.slice(0, end));
      line = line.slice(end);
      if (left <= 0) emit({ type: "setup", text: "\n(The setup prints more, which is not shown here.)\n" });
    },
    end() {
      show(line);
      line = "";
    },
  };
}
