import type { MessageView } from "../../../../src/contract/messages.ts";
import { useOperation, useTeam } from "../../state/page-context.ts";
import { Fold, Link, Name, SpaceLink, Timestamp } from "../elements.tsx";
import { PlainText, RichText } from "../rich-text.tsx";

/** What was asked again: the question as somebody wrote it, and what is different this time. The prompt is folded. */
export function RepeatedQuestion({ message: { run, content, space } }: { readonly message: MessageView }) {
  const shown = useOperation("show-run", { id: run ?? "" }, []);
  const model = useTeam(({ agents }) => agents.find(({ name }) => name === space)?.model ?? null);
  const earlier = shown?.ok === true ? shown.value : undefined;
  const asked = earlier?.answers ?? null;
  return (
    <>
      <p>
        Asked again
        {earlier === undefined ? (
          "."
        ) : (
          <>
            {" "}
            what <Name name={earlier.agent} /> was asked in <SpaceLink space={earlier.space} />
            {model === null || model === earlier.model ? "" : `, with the model ${model}`}.{" "}
            <Link to={{ view: "run", run: earlier.id }}>The first run</Link>
          </>
        )}
      </p>
      {asked === null ? null : (
        <blockquote class="asked">
          <p class="dim">
            <Name name={asked.from} /> <Timestamp at={asked.at} />
          </p>
          <RichText text={asked.content} mentions={asked.mentions} />
        </blockquote>
      )}
      <Fold summary={<span class="dim">The prompt as the model got it</span>}>
        {() => <PlainText text={content} />}
      </Fold>
    </>
  );
}
