import { foldText } from '../../../domain/fold-text.ts';
import type { Action } from '../../../domain/role.ts';
import type { Icon } from '../../frame/icons.ts';
import { LOCALES, type MessageKey } from '../../i18n/catalogs.ts';
import { translate } from '../../i18n/translate.ts';
import { NAVIGATION, type NavigationEntry } from '../frame/navigation.ts';
import type { Visit } from '../frame/visit.ts';
import type { Found } from './found.ts';

interface Destination extends Pick<NavigationEntry, 'path' | 'action' | 'icon' | 'name' | 'devModeOnly'> {
  /** The action in production, if it differs. */
  readonly inProduction?: Action;
}

const action = (path: `/${string}`, needed: Action, icon: Icon, name: MessageKey): Destination => ({
  path,
  action: needed,
  icon,
  name,
});

/** Things to do that have a page of their own. */
const ACTIONS: readonly Destination[] = [
  action('/new-checkout', 'sell', 'plus', 'dashboard.checkouts.newCheckoutOrLink'),
  action('/new-product', 'sell', 'plus', 'dashboard.catalog.newProduct'),
  action('/new-coupon', 'sell', 'plus', 'dashboard.catalog.newCoupon'),
  action('/new-payout', 'payout', 'plus', 'dashboard.balance.newPayout'),
  action('/new-transfer', 'payout', 'plus', 'dashboard.search.newPixTransfer'),
  action('/exports', 'read', 'download', 'dashboard.search.exportASheet'),
  action('/webhooks/new', 'webhook:manage', 'plus', 'dashboard.webhooks.newWebhook'),
  // Developers create keys of the test environment only.
  {
    ...action('/keys/new', 'dev-key:manage', 'plus', 'dashboard.search.newApiKey'),
    inProduction: 'prod-key:manage',
  },
  action('/team#email', 'team', 'plus', 'dashboard.search.inviteAPerson'),
  {
    ...action('/sandbox/clock', 'sandbox', 'history', 'dashboard.search.advanceTheTestClock'),
    devModeOnly: true,
  },
];

const PAGES: readonly Destination[] = NAVIGATION.flat();

/** The pages and actions that the role may open and whose name contains the text; all of them for an empty text. */
export function destinationsOf(
  visit: Visit,
  text: string,
): { readonly pages: Found[]; readonly actions: Found[] } {
  const wanted = foldText(text);
  const found = (all: readonly Destination[]) =>
    all
      .filter(({ action: needed, inProduction = needed, devModeOnly }) =>
        visit.devMode ? visit.can(needed) : visit.can(inProduction) && !devModeOnly,
      )
      .filter(({ name }) => LOCALES.some((locale) => foldText(translate(locale, name)).includes(wanted)))
      .map(({ path, icon, name }) => ({ path, icon, text: visit.say(name) }));
  return { pages: found(PAGES), actions: found(ACTIONS) };
}
