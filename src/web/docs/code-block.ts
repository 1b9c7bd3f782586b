import { type Html, html, trustedMarkup } from '../frame/html.ts';
import { icon } from '../frame/icons.ts';
import type { Language } from './library.ts';
import { WORDS } from './words.ts';

interface CodeBlock {
  readonly text: string;
  /** The coloured text; null shows it without colours. */
  readonly markup: string | null;
  /** Of the block on its page. */
  readonly number: number;
  readonly language: Language;
}

/** Code with a button that copies it. */
export function codeBlock({ text, markup, number, language }: CodeBlock): Html {
  const { copy, copied, select } = WORDS[language];
  const content = markup === null ? text : trustedMarkup(markup);
  return html`<div class="code"><pre tabindex="0"><code id="code-block-${number}">${content}</code></pre><button type="button" class="code__copy" title="${copy}" data-copy-of="code-block-${number}" data-copied="${copied}" data-copy-failed="${select}" hidden>${icon('copy')}<span class="visually-hidden" data-label>${copy}</span></button></div>
`;
}

/** A drawn diagram, with its source as the text for those who do not see it. @param about the heading above it. */
export function diagram(picture: string, about: string, { text, language }: CodeBlock): Html {
  const { diagramOf, asText } = WORDS[language];
  const image = picture.replace(
    '<svg ',
    () => html`<svg role="img" aria-label="${diagramOf} ${about}" `.markup,
  );
  return html`<figure class="diagram"><div class="diagram__picture" tabindex="0">${trustedMarkup(image)}</div>
<details><summary>${asText}</summary><pre tabindex="0"><code>${text}</code></pre></details></figure>
`;
}
