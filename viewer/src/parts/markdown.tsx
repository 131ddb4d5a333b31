// Markdown as people write it into memories, from an allow-list: headings, paragraphs, lists, quotations, code, tables, bold, italic,
// links to the web and [[links]] to memories. Everything else, HTML and pictures first, stays the text that it is.

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { LinkRow } from '../../../src/viewer-api/protocol.ts';
import { blocksOf, type MarkdownBlock } from './markdown-blocks.ts';
import { memoryHref } from './memory-row.tsx';

/** The links of the memory that is shown: what `[[name]]` leads to. */
export const KnownLinks = createContext<readonly LinkRow[]>([]);

export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text.split(/\r?\n/)), [text]);
  return (
    <div class="markdown">
      {blocks.map((block, at) => (
        <Block key={at} block={block} />
      ))}
    </div>
  );
}

// ---- Blocks

function Block({ block }: { block: MarkdownBlock }) {
  if (block.type === 'heading') {
    // Below the headings of the page itself.
    const Level = `h${Math.min(6, block.level + 2)}` as 'h3';
    return (
      <Level>
        <Inline text={block.text} />
      </Level>
    );
  }
  if (block.type === 'code') return <pre class="code">{block.text}</pre>;
  if (block.type === 'quote')
    return (
      <blockquote>
        <Blocks blocks={block.blocks} />
      </blockquote>
    );
  if (block.type === 'table') return <Table rows={block.rows} />;
  if (block.type !== 'list')
    return (
      <p class="prose">
        <Inline text={block.text} />
      </p>
    );
  const items = block.items.map((own, at) => (
    <li key={at}>
      <Blocks blocks={own} />
    </li>
  ));
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

const Blocks = ({ blocks }: { blocks: readonly MarkdownBlock[] }) => (
  <>
    {blocks.map((block, at) => (
      <Block key={at} block={block} />
    ))}
  </>
);

function Table({ rows: [head = [], ...rows] }: { rows: readonly (readonly string[])[] }) {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at} scope="col">
                <Inline text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, place) => (
                <td key={place}>
                  <Inline text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// ---- Inside a line

const INLINE =
  /(`[^`\n]+`)|(\[\[[^[\]\n]{1,200}\]\])|(\[[^[\]\n]{1,200}\]\(https?:\/\/[^\s()]{1,500}\))|(\*\*[^*\n]+\*\*)|((?<![\w*])\*[^*\s][^*\n]*\*(?![\w*]))|(https?:\/\/[^\s<>()"'`]{1,500}[^\s<>()"'`.,;:!?])/g;

export function Inline({ text }: { text: string }) {
  const links = useContext(KnownLinks);
  const found: ComponentChildren[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) found.push(text.slice(at, match.index));
    found.push(pieceOf(match, links));
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push(text.slice(at));
  return <>{found}</>;
}

function pieceOf(match: RegExpMatchArray, links: readonly LinkRow[]): ComponentChildren {
  const [all, code, wiki, link, bold, italic] = match;
  if (code) return <code>{code.slice(1, -1)}</code>;
  if (wiki) return <WikiLink inner={wiki.slice(2, -2)} links={links} />;
  if (link) {
    const middle = link.indexOf('](');
    return <Outside href={link.slice(middle + 2, -1)}>{link.slice(1, middle)}</Outside>;
  }
  if (bold) return <strong>{bold.slice(2, -2)}</strong>;
  if (italic) return <em>{italic.slice(1, -1)}</em>;
  return <Outside href={all}>{all}</Outside>;
}

/** Only where somebody clicks it, in a tab of its own that learns nothing of this one. */
const Outside = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
    {children}
  </a>
);

function WikiLink({ inner, links }: { inner: string; links: readonly LinkRow[] }) {
  const [target = '', label] = inner.split('|', 2);
  const id = target.split('#', 1)[0]!.trim();
  const found = links.find(({ ref, title }) => title !== null && isNamed(ref, id));
  return found ? <a href={memoryHref(found)}>{label?.trim() || found.title}</a> : <span>{`[[${inner}]]`}</span>;
}

/** `record:decisions/use-jwt` is named by `use-jwt` and `decisions/use-jwt`. */
const isNamed = (ref: string, id: string): boolean => {
  const name = ref.slice(ref.indexOf(':') + 1);
  return name === id || name.endsWith(`/${id}`);
};
