import type { Action } from '../../../domain/role.ts';
import type { Icon } from '../../frame/icons.ts';
import { NAVIGATION, type NavigationEntry } from '../frame/navigation.ts';
import type { Visit } from '../frame/visit.ts';
import type { Found } from './found.ts';

type Destination = Pick<NavigationEntry, 'path' | 'action' | 'icon' | 'name' | 'devModeOnly'>;

const action = (path: `/${string}`, needed: Action, icon: Icon, ...name: [string, string]): Destination => ({
  path,
  action: needed,
  icon,
  name,
});

/** Things to do that have a page of their own. */
const ACTIONS: readonly Destination[] = [
  action('/new-checkout', 'sell', 'plus', 'Novo checkout ou link', 'New checkout or link'),
  action('/new-product', 'sell', 'plus', 'Novo produto', 'New product'),
  action('/new-coupon', 'sell', 'plus', 'Novo cupom', 'New coupon'),
  action('/new-payout', 'payout', 'plus', 'Novo repasse', 'New payout'),
  action('/new-transfer', 'payout', 'plus', 'Nova transferência Pix', 'New Pix transfer'),
  action('/webhooks/new', 'webhook:manage', 'plus', 'Novo webhook', 'New webhook'),
  {
    ...action('/sandbox/clock', 'sandbox', 'history', 'Avançar o relógio de teste', 'Advance the test clock'),
    devModeOnly: true,
  },
];

const PAGES: readonly Destination[] = NAVIGATION.flat();

/** The pages and actions that the role may open and whose name contains the text; all of them for an empty text. */
export function destinationsOf(
  visit: Visit,
  text: string,
): { readonly pages: Found[]; readonly actions: Found[] } {
  const wanted = plain(text);
  const found = (all: readonly Destination[]) =>
    all
      .filter(({ action: needed, devModeOnly }) => visit.can(needed) && (visit.devMode || !devModeOnly))
      .filter(({ name }) => name.some((each) => plain(each).includes(wanted)))
      .map(({ path, icon, name }) => ({ path, icon, text: visit.say(...name) }));
  return { pages: found(PAGES), actions: found(ACTIONS) };
}

function plain(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
