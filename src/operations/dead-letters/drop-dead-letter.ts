import { persons } from "../core/access.ts";
import { deadLetterInput, deadLetterOutput, findDeadLetter, settleDeadLetter } from "./find-dead-letter.ts";
import { proposal } from "../core/define.ts";

export const dropDeadLetter = proposal({
  name: "drop-dead-letter",
  summary: "Give up on a dead letter for good. Its message stays in the channel.",
  input: deadLetterInput,
  output: deadLetterOutput,
  access: persons,

  async execute(data, ctx) {
    const found = await findDeadLetter(ctx, data.id);
    return found.ok ? settleDeadLetter(ctx, found.value, "drop") : found;
  },
});
