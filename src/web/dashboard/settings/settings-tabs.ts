import type { Html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { tabs } from '../frame/tabs.ts';
import type { Visit } from '../frame/visit.ts';

/** The pages of settings, in the order of their tabs. */
const PAGES: readonly (readonly [path: string, name: MessageKey])[] = [
  ['/settings', 'dashboard.settings.whatPayersSee'],
  ['/settings/billing', 'dashboard.settings.billing.title'],
  ['/settings/reminders', 'dashboard.settings.reminders.title'],
  ['/settings/portal', 'dashboard.settings.portal.title'],
  ['/settings/nfse', 'dashboard.settings.nfse.title'],
];

/** Links to all pages of settings, above each of them. */
export function settingsTabs(visit: Visit): Html {
  const { say, path } = visit;
  return tabs(
    say('dashboard.settings.portal.allSettings'),
    PAGES.map(([page, name]) => {
      const href = visit.link(page);
      return { href, text: say(name), isCurrent: href === path };
    }),
  );
}
