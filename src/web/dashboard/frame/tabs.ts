import { type Html, html } from '../../frame/html.ts';

/** A link to another part of the same page. */
export interface Tab {
  readonly href: string;
  readonly text: string | Html;
  /** Whether this part is shown. */
  readonly isCurrent: boolean;
}

/** Links to the parts of a page. @param label names the group to screen readers. */
export function tabs(label: string, parts: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}">${parts.map(
    ({ href, text, isCurrent }) =>
      html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${text}</a>\n`,
  )}</nav>`;
}
