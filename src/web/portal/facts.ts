import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { formatDate } from '../boleto/boleto-wording.ts';
import { type Html, html } from '../frame/html.ts';

/** One line of a list of facts (`portal__facts`). */
export function fact(label: string, value: string | Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

/** The day of an instant in São Paulo, as payers read it. */
export function dayOf(at: Date): string {
  return formatDate(saoPauloDateOf(at));
}
