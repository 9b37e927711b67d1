import { ApprovalCard } from "./approval-card.tsx";
import { BallotCard } from "./ballot-card.tsx";
import { DeadLetterCard } from "./dead-letter-card.tsx";
import type { CardContext } from "./decision-card.tsx";
import { MemoryCard } from "./memory-card.tsx";
import { SoulCard } from "./soul-card.tsx";
import { SuggestionCard } from "./suggestion-card.tsx";

/** The card of any kind of decision: in the list of all decisions, and in the channel. */
export function CardOf(props: CardContext) {
  const { item } = props.decision;
  switch (item.kind) {
    case "approval":
      return <ApprovalCard approval={item.view} {...props} />;
    case "ballot":
      return <BallotCard ballot={item.view} {...props} />;
    case "suggestion":
      return <SuggestionCard suggestion={item.view} {...props} />;
    case "soul":
      return <SoulCard proposal={item.view} {...props} />;
    case "memory":
      return <MemoryCard question={item.view} {...props} />;
    case "dead":
      return <DeadLetterCard delivery={item.view} {...props} />;
  }
}
