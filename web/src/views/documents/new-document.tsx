import { useState } from "preact/hooks";
import { usePage } from "../../state/page-context.ts";

/** Adds an empty document and opens it. */
export function NewDocument({ space }: { readonly space: string }) {
  const { daemon, notify, goTo } = usePage();
  const [file, setFile] = useState("");
  const create = async (): Promise<void> => {
    const name = /\.\w+$/.test(file.trim()) ? file.trim() : `${file.trim()}.md`;
    const created = await daemon.call("create-document", { target: space, file: name });
    if (!created.ok) return notify(`${created.error.message} ${created.error.hint ?? ""}`, "bad");
    setFile("");
    goTo({ view: "documents", space, file: name });
  };
  return (
    <form
      class="inline-form"
      aria-label="New document"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <input
        value={file}
        aria-label="Name of a new document"
        placeholder="plan.md"
        onInput={(event) => setFile(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={file.trim() === ""}>
        Add
      </button>
    </form>
  );
}
