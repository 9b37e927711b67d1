import { useEffect, useState } from "preact/hooks";
import type { FileProblem } from "../parts/text-editor.tsx";
import { usePage } from "./page-context.ts";

const CHECKED_AFTER_MS = 250;

/** Returns the mistakes that a file with this text would have; undefined while they are not known. */
export function useCheckedText(file: string, text: string): readonly FileProblem[] | undefined {
  const { daemon } = usePage();
  const [checked, setChecked] = useState<{ readonly text: string; readonly problems: readonly FileProblem[] }>();
  useEffect(() => {
    let active = true;
    const timer = setTimeout(() => {
      void daemon.call("check-definition-file", { file, text }).then((result) => {
        if (!active) return;
        setChecked({ text, problems: result.ok ? result.value.problems : [asProblem(file, result.error.message)] });
      });
    }, CHECKED_AFTER_MS);
    return () => {
      active = false;
      clearTimeout(timer);
    };
  }, [daemon, file, text]);
  return checked?.text === text ? checked.problems : undefined;
}

function asProblem(file: string, message: string): FileProblem {
  return { severity: "error", file, line: 1, column: 1, message, hint: null };
}
