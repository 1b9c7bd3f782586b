import { Marked, type Token, type Tokens } from 'marked';
import { getHeadingList, gfmHeadingId, type HeadingData } from 'marked-gfm-heading-id';
import { escapeHtml } from '../frame/html.ts';
import { codeBlock, codeTabs, diagram } from './code-block.ts';
import { drawnDiagram } from './diagrams.ts';
import type { Code, Highlighter } from './highlighter.ts';
import { type DocumentPage, textOfPage } from './library.ts';
import { LANGUAGES } from './programs.ts';
import { tryIt } from './try-it.ts';

/** A document's content as HTML. */
export interface Rendered {
  readonly content: string;
  readonly headings: readonly HeadingData[];
  /** False if code could not be coloured, so that the next reader should get a new try. */
  readonly isComplete: boolean;
}

/** Renders a document's Markdown, with coloured code. Links are resolved relative to the document. */
export async function renderMarkdown(page: DocumentPage, highlighter: Highlighter): Promise<Rendered> {
  const markdown = textOfPage(page);
  const codes = codesOf(markdown).map((group) => programsOf(group, page));
  const colored = await highlighter.highlight(codes.flat());
  // From here on nothing waits: the headings of all pages are collected in one variable of the library.
  const content = markedFor(page, codes, colored).parse(markdown, { async: false });
  return { content: withAnchors(content), headings: getHeadingList(), isComplete: colored !== null };
}

/**
 * Every block in order. The same program in several languages, one block after the other, is a group: its first block has
 * all of them, and the others have none.
 */
function codesOf(markdown: string): Tokens.Code[][] {
  const marked = new Marked();
  const codes: Tokens.Code[][] = [];
  let group: Tokens.Code[] = [];
  void marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type === 'space') return;
    if (token.type !== 'code') {
      group = [];
      return;
    }
    const code = token as Tokens.Code;
    const continues = [code, ...group].every(isProgram) && !group.some(({ lang }) => lang === code.lang);
    if (group.length === 0 || !continues) {
      group = [code];
      codes.push(group);
    } else {
      group.push(code);
      codes.push([]);
    }
  });
  return codes;
}

const isProgram = ({ lang = '' }: Tokens.Code) => Object.hasOwn(LANGUAGES, lang);

/** A group of blocks, and the same in other languages if it is the example of an operation, or requests of a guide. */
function programsOf(group: readonly Tokens.Code[], page: DocumentPage): readonly Code[] {
  const codes = group.map(({ lang = '', text }) => ({ language: lang.split(' ')[0] ?? '', text }));
  const [first, ...others] = group;
  if (first === undefined || others.length > 0) return codes;
  const [language, ...operation] = (first.lang ?? '').split(' ');
  const isGuides = language === 'sh' && operation.length === 0;
  const made = isGuides ? page.programsForShell?.(first.text) : page.programsFor?.(operation.join(' '));
  return [...codes, ...(made ?? [])];
}

/**
 * @param codes every block in order, with its other languages.
 * @param colored the HTML of each of them, null to show its text.
 */
function markedFor(
  { path, language, trialOf }: DocumentPage,
  codes: readonly (readonly Code[])[],
  colored: readonly string[] | null,
): Marked {
  let blocks = 0;
  let number = 0;
  let heading = '';
  return new Marked(gfmHeadingId(), {
    renderer: {
      // Wide tables and lines of code scroll on their own, so they must be focusable by keyboard.
      table(token) {
        // On a phone a row is a block. The roles keep what a table is there, and each cell names its column.
        const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const names = token.header.map((cell) => columnName(cell, token.header, path));
        const head = token.header.map((cell) => `<th role="columnheader">${inline(cell)}</th>`).join('');
        const cells = (row: readonly Tokens.TableCell[]) =>
          row.map((cell, column) => `<td role="cell"${names[column] ?? ''}>${inline(cell)}</td>`).join('');
        const rows = token.rows.map((row) => `<tr role="row">${cells(row)}</tr>`).join('');
        return `<div class="wide" tabindex="0"><table role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${rows}</tbody></table></div>`;
      },
      code({ text, lang }) {
        const shown = (codes[blocks++] ?? []).map((code) => {
          const markup = colored?.[number] ?? null;
          return { ...code, markup, number: number++, page: language };
        });
        const [first] = shown;
        if (first === undefined) return '';
        const picture = lang === 'mermaid' ? drawnDiagram(text) : null;
        if (picture !== null) return diagram(picture, heading, first).markup;
        const [, ...operation] = (lang ?? '').split(' ');
        const trial = trialOf?.(operation.join(' ')) ?? null;
        const form = trial === null ? '' : tryIt(trial, language).markup;
        return (shown.length > 1 ? codeTabs(shown) : codeBlock(first)).markup + form;
      },
      heading(token) {
        heading = token.text;
        return false;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = pageAddress(href, path);
        return target === null ? text : `<a href="${target.replaceAll('"', '&quot;')}">${text}</a>`;
      },
    },
  });
}

/** The attribute with a column's name, if the first cell of a row does not explain the others. */
function columnName(cell: Tokens.TableCell, header: readonly Tokens.TableCell[], path: string): string {
  const isExplained = header.length < 3 || path.startsWith('reference/');
  if (isExplained || cell === header[0] || cell.text === '') return '';
  return ` data-column="${escapeHtml(cell.text.replaceAll('`', ''))}"`;
}

/** The URL of a document's link: the page of a served document, null for a file that is not served. */
function pageAddress(href: string, from: string): string | null {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const { pathname } = new URL(file, `http://here/docs/${from}`);
  if (!pathname.startsWith('/docs/') || !pathname.endsWith('.md')) return null;
  return pathname.replace(/\.md$/, '') + (anchor === undefined ? '' : `#${anchor}`);
}

/** A link in front of each heading, to copy its address. Screen readers list headings themselves. */
function withAnchors(content: string): string {
  return content.replace(
    /<h([23]) id="([^"]+)">/g,
    '$&<a class="anchor" href="#$2" aria-hidden="true" tabindex="-1"></a>',
  );
}
