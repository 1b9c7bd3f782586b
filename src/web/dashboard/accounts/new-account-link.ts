import { type Html, html } from '../../frame/html.ts';
import { linkTo } from '../frame/place.ts';
import type { Visit } from '../frame/visit.ts';

/** Where an owner adds an account; null for other roles. */
export function newAccountLink(visit: Visit): Html | null {
  if (!visit.can('provider-account:manage')) return null;
  const production = linkTo({ ...visit.place, devMode: false }, '/accounts/new');
  return html`<a href="${production}">${visit.say('dashboard.accounts.add')}</a>`;
}
