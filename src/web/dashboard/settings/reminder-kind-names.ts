import type { ReminderKind } from '../../../domain/reminders.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';

/** What payers are reminded of. */
export const REMINDER_KIND_NAMES: Readonly<Record<ReminderKind, MessageKey>> = {
  BOLETO: 'dashboard.settings.reminders.kind.BOLETO',
  RENEWAL: 'dashboard.settings.reminders.kind.RENEWAL',
  TRIAL_END: 'dashboard.settings.reminders.kind.TRIAL_END',
  PAST_DUE: 'dashboard.settings.reminders.kind.PAST_DUE',
  CARD_EXPIRY: 'dashboard.settings.reminders.kind.CARD_EXPIRY',
};
