import { withoutBidiControls } from '../../domain/bidi.ts';

/** Safe markup: every interpolated value has been escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }

  toString(): string {
    return this.markup;
  }
}

type Fragment = string | number | Html | null | false | readonly Fragment[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return withoutBidiControls(text).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

function render(fragment: Fragment): string {
  if (fragment === null || fragment === false) return '';
  if (fragment instanceof Html) return fragment.markup;
  if (typeof fragment === 'object') return fragment.map(render).join('');
  return escapeHtml(String(fragment));
}

/**
 * Builds markup from a template. Values are escaped for element content and quoted attributes (always quote attributes).
 * Bidirectional control characters are removed. Nested `html` is kept, lists are joined, `null` and `false` are omitted.
 */
export function html(strings: TemplateStringsArray, ...fragments: readonly Fragment[]): Html {
  return new Html(String.raw({ raw: strings }, ...fragments.map(render)));
}

/** Markup from a trusted library, such as a drawn bar code. Never use it for external text. */
export function trustedMarkup(markup: string): Html {
  return new Html(markup);
}
