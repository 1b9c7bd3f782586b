import { type Html, html } from '../../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

/** Links to the parts of a list, by its parameter `status`. @param label names the group to screen readers. */
export function tabs(
  { path, query }: Visit,
  label: string,
  parts: readonly (readonly [status: string, name: string])[],
): Html {
  const current = query.get('status') ?? '';
  return html`<nav class="tabs" aria-label="${label}">${parts.map(
    ([status, name]) =>
      html`<a href="${status === '' ? path : `${path}?status=${status}`}"${status === current && html` aria-current="page"`}>${name}</a>\n`,
  )}</nav>`;
}
