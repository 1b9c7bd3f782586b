import { type Html, html } from './html.ts';

/** One line of a list of facts (`dl.facts`). */
export function fact(label: string, value: string | Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`;
}

/** Names and values that describe one object. */
export function facts(rows: readonly (readonly [label: string, value: string | Html])[]): Html {
  return html`<dl class="facts">${rows.map(([label, value]) => fact(label, value))}</dl>`;
}
