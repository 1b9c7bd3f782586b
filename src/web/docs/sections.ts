import { Marked, type Token, type Tokens } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { type DocumentPage, textOfPage } from './library.ts';

/** A part of a page, from one heading to the next: what search finds. */
export interface Section {
  /** The address below `/docs/`, with the heading's anchor. */
  readonly address: string;
  readonly page: DocumentPage;
  readonly heading: string;
  /** Its sentences and tables, of which a result shows a part. */
  readonly text: string;
  /** Its commands, which are found and not shown. */
  readonly commands: string;
}

const marked = new Marked(gfmHeadingId());

/** Splits a page at its headings. Those below an operation, such as "Parameters", are part of it. */
export function sectionsOf(page: DocumentPage): Section[] {
  const deepest = page.path.startsWith('reference/') ? 2 : 3;
  const markdown = textOfPage(page);
  marked.parse(markdown, { async: false });
  const anchors = getHeadingList();
  const sections: { anchor: string; heading: string; texts: string[]; commands: string[] }[] = [];
  let headings = 0;
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') {
      const anchor = anchors[headings++]?.id ?? '';
      if (token.depth <= deepest) {
        sections.push({
          anchor: token.depth === 1 ? '' : `#${anchor}`,
          heading: token.text,
          texts: [],
          commands: [],
        });
        continue;
      }
    }
    // Answers in JSON are left out: they would be found for every name of a field.
    if (token.type === 'code' && token.lang === 'sh') sections.at(-1)?.commands.push(token.text);
    if (token.type !== 'code') sections.at(-1)?.texts.push(textOf(token));
  }
  return sections.map(({ anchor, heading, texts, commands }) => ({
    address: `${page.path}${anchor}`,
    page,
    heading: plain(heading),
    text: texts.join(' ').replace(/\s+/g, ' ').trim(),
    commands: commands.join(' '),
  }));
}

/** A block as people read it. */
function textOf(token: Token): string {
  if (token.type !== 'table') return plain(token.raw);
  return (token as Tokens.Table).rows.map(rowText).join('; ');
}

/** The cells of a row, apart from each other. */
function rowText(cells: readonly Tokens.TableCell[]): string {
  return cells
    .map(({ text }) => plain(text))
    .filter((text) => text !== '')
    .join(' · ');
}

/** Markdown without its marks. */
function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*\\]|^#+ |^> |^ *- /gm, '')
    .trim();
}
