import { type Html, html, trustedMarkup } from '../frame/html.ts';
import { icon } from '../frame/icons.ts';
import { translate } from '../i18n/translate.ts';
import type { Code } from './highlighter.ts';
import type { Language } from './library.ts';
import { LANGUAGES } from './programs.ts';

interface CodeBlock extends Code {
  /** The coloured text; null shows it without colours. */
  readonly markup: string | null;
  /** Of the block on its page. */
  readonly number: number;
  /** The language of the page around it. */
  readonly page: Language;
}

/** Code with a button that copies it. */
export function codeBlock({ text, markup, number, page }: CodeBlock): Html {
  const copy = translate(page, 'docs.copy');
  const copied = translate(page, 'docs.copied');
  const select = translate(page, 'docs.selectAndCopy');
  const content = markup === null ? text : trustedMarkup(markup);
  return html`<div class="code"><pre tabindex="0"><code id="code-block-${number}">${content}</code></pre><button type="button" class="copy-icon" title="${copy}" data-copy-of="code-block-${number}" data-copied="${copied}" data-copy-failed="${select}" hidden>${icon('copy')}<span class="visually-hidden" data-label>${copy}</span></button></div>
`;
}

/** A drawn diagram, with its source as the text for those who do not see it. @param about the heading above it. */
export function diagram(picture: string, about: string, { text, page }: CodeBlock): Html {
  const title = translate(page, 'docs.diagram', { subject: about });
  const image = picture.replace('<svg ', () => html`<svg role="img" aria-label="${title}" `.markup);
  return html`<figure class="diagram"><div class="diagram__picture" tabindex="0">${trustedMarkup(image)}</div>
<details><summary class="folds">${translate(page, 'docs.diagramAsText')}</summary><pre tabindex="0"><code>${text}</code></pre></details></figure>
`;
}

/** The same request in several languages. Without a script each example has its own choice. */
export function codeTabs(blocks: readonly CodeBlock[]): Html {
  const [first] = blocks;
  const programs = translate(first?.page ?? 'en', 'docs.programs');
  const choices = Object.entries(LANGUAGES)
    .filter(([program]) => blocks.some(({ language }) => language === program))
    .map(
      ([program, name]) =>
        html`<label><input type="radio" name="program-${first?.number ?? 0}" value="${program}"${program === first?.language && html` checked`}>${name}</label>`,
    );
  const panels = blocks.map(
    (block) => html`<div class="tabs__panel" data-of="${block.language}">${codeBlock(block)}</div>`,
  );
  return html`<div class="tabs"><fieldset class="tabs__choice"><legend class="visually-hidden">${programs}</legend>${choices}</fieldset>
${panels}</div>
`;
}
