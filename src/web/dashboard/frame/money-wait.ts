import type { Em } from '../../../database/orm.ts';
import type { Action } from '../../../domain/role.ts';
import { holdMoneyAuthority, MoneyWaits, moneyWaitOf } from '../../../payouts/money-authority.ts';
import type { Locale } from '../../i18n/catalogs.ts';
import { timeText } from '../../i18n/dates.ts';
import { sayIn } from './locale.ts';
import type { Visit } from './visit.ts';

/** Actions on the whole store protect real money, so they count as production. */
const wholeStore = ({ caller }: Visit) => ({ ...caller, devMode: false });

/**
 * Checks, in the transaction of an action that opens or closes a way to money, that the person still has the role and is not a
 * new member in the waiting period. @throws NoAuthority, MoneyWaits
 */
export function holdAuthority(
  em: Em,
  visit: Visit,
  action: Action,
  isOfStore: 'of store' | 'of environment',
): Promise<void> {
  const acting = isOfStore === 'of store' ? wholeStore(visit) : visit.caller;
  return holdMoneyAuthority(em, acting, action, visit.now);
}

/** Why a person may not yet send money or open a way to it; null if they may. */
export async function waitNote(visit: Visit, action: Action): Promise<string | null> {
  const until = await moneyWaitOf(visit.em, visit.caller, action, visit.now);
  return until === null ? null : waitText(new MoneyWaits(until), visit.locale);
}

export function waitText({ until }: MoneyWaits, locale: Locale): string {
  const at = timeText(locale, until);
  return sayIn(locale)('dashboard.frame.youAreNewInThis', { at });
}
