import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { hueOf } from "../text/agent-colour.ts";
import { parseMarkdown, type Block, type Inline } from "../text/markdown.ts";
import { mentionParts } from "../text/mention-parts.ts";
import { visibleText } from "../text/visible-text.ts";

/** Text of agents and people. Every part becomes a text node, so that it cannot be markup. */
export function RichText({ text, mentions = [] }: { readonly text: string; readonly mentions?: readonly string[] }) {
  const blocks = useMemo(() => parseMarkdown(visibleText(text)), [text]);
  return <div class="prose">{blocks.map((block) => showBlock(block, mentions))}</div>;
}

/** The same without formatting: arguments, results, files. */
export function PlainText({ text }: { readonly text: string }) {
  return <pre class="plain">{visibleText(text)}</pre>;
}

function showBlock(block: Block, mentions: readonly string[]): ComponentChildren {
  switch (block.kind) {
    case "paragraph":
      return <p>{showInline(block.parts, mentions)}</p>;
    case "quote":
      return <blockquote>{showInline(block.parts, mentions)}</blockquote>;
    case "heading":
      // A heading in a message is not a heading of the page.
      return <p class={`title title-${block.level}`}>{showInline(block.parts, mentions)}</p>;
    case "code":
      return (
        <pre class="code">
          <code>{block.text}</code>
        </pre>
      );
    case "rule":
      return <hr />;
    case "list": {
      const items = block.items.map((parts) => <li>{showInline(parts, mentions)}</li>);
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

function showInline(parts: readonly Inline[], mentions: readonly string[]): ComponentChildren[] {
  return parts.map((part) => {
    switch (part.kind) {
      case "text":
        return showMentions(part.text, mentions);
      case "code":
        return <code>{part.text}</code>;
      case "strong":
        return <strong>{showInline(part.parts, mentions)}</strong>;
      case "emphasis":
        return <em>{showInline(part.parts, mentions)}</em>;
      case "link":
        return (
          <a href={part.address} target="_blank" rel="noopener noreferrer nofollow">
            {part.address}
          </a>
        );
    }
  });
}

function showMentions(text: string, mentions: readonly string[]): ComponentChildren {
  return mentionParts(text, mentions).map((part) =>
    part.mention === undefined ? part.text : <span class={`mention hue-${hueOf(part.mention)}`}>{part.text}</span>,
  );
}
