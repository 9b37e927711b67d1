import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { hueOf } from "../text/agent-colour.ts";
import { parseMarkdown, type Block, type Inline, type ListItem } from "../text/markdown.ts";
import { mentionParts } from "../text/mention-parts.ts";
import { visibleText } from "../text/visible-text.ts";
import { CodeBlock, OutputText } from "./code-block.tsx";

/** Text of agents and people. Every part becomes a text node, so that it cannot be markup. */
export function RichText({ text, mentions = [] }: { readonly text: string; readonly mentions?: readonly string[] }) {
  const blocks = useMemo(() => parseMarkdown(visibleText(text)), [text]);
  return <div class="prose">{blocks.map((block) => showBlock(block, mentions))}</div>;
}

/** The same without formatting: arguments, results, files. The colours of a terminal are shown. */
export function PlainText({ text }: { readonly text: string }) {
  return <OutputText text={text} />;
}

function showBlock(block: Block, mentions: readonly string[]): ComponentChildren {
  switch (block.kind) {
    case "paragraph":
      return <p>{showInline(block.parts, mentions)}</p>;
    case "quote":
      return <blockquote>{block.blocks.map((each) => showBlock(each, mentions))}</blockquote>;
    case "heading":
      // A heading in a message is not a heading of the page.
      return <p class={`title title-${block.level}`}>{showInline(block.parts, mentions)}</p>;
    case "code":
      return <CodeBlock text={block.text} language={block.language} />;
    case "rule":
      return <hr />;
    case "list": {
      const items = block.items.map((item) => showItem(item, mentions));
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case "table":
      return (
        <div class="table-frame" tabIndex={0} role="region" aria-label="Table">
          <table>
            <thead>
              <tr>
                {block.columns.map(({ parts, align }) => (
                  <th scope="col" class={align === undefined ? "" : `align-${align}`}>
                    {showInline(parts, mentions)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row) => (
                <tr>
                  {row.map((parts, at) => (
                    <td class={block.columns[at]?.align === undefined ? "" : `align-${block.columns[at].align}`}>
                      {showInline(parts, mentions)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function showItem({ done, blocks }: ListItem, mentions: readonly string[]): ComponentChildren {
  const [first, ...rest] = blocks;
  // The text of an item stands beside its mark and is no paragraph of its own.
  const content = [
    first?.kind === "paragraph" ? showInline(first.parts, mentions) : first && showBlock(first, mentions),
    ...rest.map((each) => showBlock(each, mentions)),
  ];
  if (done === undefined) return <li>{content}</li>;
  return (
    <li class="task">
      <span class={`task-mark ${done ? "done" : ""}`} role="img" aria-label={done ? "done" : "open"} />
      <div>{content}</div>
    </li>
  );
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
      case "deleted":
        return <del>{showInline(part.parts, mentions)}</del>;
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
    part.mention === undefined ? (
      part.text
    ) : (
      <span class={`mention ${part.mention === "user" ? "user" : `hue-${hueOf(part.mention)}`}`}>{part.text}</span>
    ),
  );
}
