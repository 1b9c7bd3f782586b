import { parentPort } from 'node:worker_threads';
import { createCssVariablesTheme, createHighlighterCore, type LanguageInput } from '@shikijs/core';
import { createOnigurumaEngine } from '@shikijs/engine-oniguruma';
import { escapeHtml } from '../frame/html.ts';
import type { Code, HighlightRequest } from './highlighter.ts';

/** The thread that colours code: `highlighter.ts` starts it, sends it blocks and ends it. */

/** A grammar is read when a block needs it. */
const GRAMMARS: Readonly<Record<string, LanguageInput>> = {
  sh: () => import('@shikijs/langs/shellscript'),
  js: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  python: () => import('@shikijs/langs/python'),
  php: () => import('@shikijs/langs/php'),
  go: () => import('@shikijs/langs/go'),
  sql: () => import('@shikijs/langs/sql'),
  yaml: () => import('@shikijs/langs/yaml'),
};

/** Classes of the stylesheet by the theme's colours; all other text keeps the colour of text. */
const CLASSES: Readonly<Record<string, string>> = {
  'var(--shiki-token-keyword)': 'k',
  'var(--shiki-token-function)': 'f',
  'var(--shiki-token-string)': 's',
  'var(--shiki-token-string-expression)': 's',
  'var(--shiki-token-constant)': 'n',
  'var(--shiki-token-comment)': 'c',
};

const highlighter = await createHighlighterCore({
  themes: [createCssVariablesTheme()],
  engine: createOnigurumaEngine(import('@shikijs/engine-oniguruma/wasm-inlined')),
});

/** The block as HTML. The page's policy forbids style attributes, so each token has a class instead. */
async function highlight({ language, text }: Code): Promise<string> {
  const grammar = GRAMMARS[language];
  if (grammar === undefined) return escapeHtml(text);
  await highlighter.loadLanguage(grammar);
  const lang = GRAMMAR_NAMES[language] ?? language;
  const lines = highlighter.codeToTokensBase(text, { lang, theme: 'css-variables' });
  return lines.map((tokens) => merged(tokens).map(tokenMarkup).join('')).join('\n');
}

/** What Shiki calls a language, where it is not what Markdown calls it. */
const GRAMMAR_NAMES: Readonly<Record<string, string>> = { sh: 'shellscript', js: 'javascript' };

interface Token {
  readonly content: string;
  readonly className: string | undefined;
}

/** Neighbours of the same colour become one token, which makes pages half as large. */
function merged(tokens: readonly { content: string; color?: string }[]): Token[] {
  const joined: Token[] = [];
  for (const { content, color = '' } of tokens) {
    const className = CLASSES[color];
    const last = joined.at(-1);
    if (last !== undefined && (last.className === className || content.trim() === ''))
      joined[joined.length - 1] = { content: last.content + content, className: last.className };
    else joined.push({ content, className });
  }
  return joined;
}

function tokenMarkup({ content, className }: Token): string {
  const text = escapeHtml(content);
  return className === undefined ? text : `<span class="${className}">${text}</span>`;
}

parentPort?.on('message', async ({ id, blocks }: HighlightRequest) => {
  const markup: string[] = [];
  for (const block of blocks) markup.push(await highlight(block));
  parentPort?.postMessage({ id, markup });
});
