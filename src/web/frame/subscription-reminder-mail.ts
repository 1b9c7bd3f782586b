import type { CivilDate } from '../../domain/civil-date.ts';
import type { SubscriptionReminderKind } from '../../domain/reminders.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { sayAmount } from '../i18n/money.ts';
import { cardText } from './card-text.ts';
import { say, sayDay } from './language.ts';
import type { Mail } from './mail-layout.ts';
import { type PayersStore, payerMail } from './payer-mail.ts';

/** What a reminder says about a subscription. */
export interface SubscriptionReminder {
  readonly store: PayersStore;
  readonly devMode: boolean;
  readonly kind: SubscriptionReminderKind;
  /** The plan. */
  readonly what: string;
  /** Null for a card that expires. */
  readonly amountCents: number | null;
  /** The date that the kind is about. */
  readonly date: CivilDate;
  /** The card that pays it; null for PIX. */
  readonly card: { readonly cardBrand: string | null; readonly cardLastFour: string | null } | null;
  /** Of the open PIX code; null without one. */
  readonly payPath: string | null;
  /** Of the payer's customer portal; null without one. */
  readonly portalPath: string | null;
  readonly unsubscribePath: string;
}

interface Words {
  readonly subject: MessageKey;
  readonly line: MessageKey;
  /** What happens, for a subscription that a card pays and for others. */
  readonly means: { readonly card: MessageKey; readonly pix: MessageKey };
  /** The link to the portal, for a subscription that a card pays. */
  readonly portal: MessageKey;
}

const WORDS: Readonly<Record<SubscriptionReminderKind, Words>> = {
  RENEWAL: {
    subject: 'reminder.renewal.subject',
    line: 'reminder.renewal.line',
    means: { card: 'reminder.subscription.chargedToCard', pix: 'reminder.subscription.pixCodeThen' },
    portal: 'reminder.subscription.manage',
  },
  TRIAL_END: {
    subject: 'reminder.trialEnd.subject',
    line: 'reminder.trialEnd.line',
    means: { card: 'reminder.subscription.chargedToCard', pix: 'reminder.subscription.pixCodeThen' },
    portal: 'reminder.subscription.manage',
  },
  PAST_DUE: {
    subject: 'reminder.pastDue.subject',
    line: 'reminder.pastDue.line',
    means: { card: 'reminder.pastDue.changeCard', pix: 'reminder.pastDue.payCode' },
    portal: 'reminder.pastDue.portal',
  },
  CARD_EXPIRY: {
    subject: 'reminder.cardExpiry.subject',
    line: 'reminder.cardExpiry.line',
    means: { card: 'reminder.cardExpiry.changeCard', pix: 'reminder.cardExpiry.changeCard' },
    portal: 'reminder.cardExpiry.portal',
  },
};

/** A reminder of a subscription, in the current language. */
export function renderSubscriptionReminderMail(reminder: SubscriptionReminder, publicUrl: string): Mail {
  const { store, devMode, kind, amountCents, card, payPath, portalPath, unsubscribePath } = reminder;
  const words = WORDS[kind];
  const values = valuesOf(reminder);
  const portal = card === null ? 'reminder.subscription.manage' : words.portal;
  return payerMail({
    store,
    devMode,
    heading: say(words.subject, values),
    amount: amountCents === null ? null : sayAmount(amountCents),
    lines: [say(words.line, values), say(card === null ? words.means.pix : words.means.card, values)],
    links: [
      ...(payPath === null ? [] : [{ text: say('reminder.mail.pay'), url: publicUrl + payPath }]),
      ...(portalPath === null ? [] : [{ text: say(portal), url: publicUrl + portalPath }]),
    ],
    unsubscribe: { text: say('reminder.mail.unsubscribe'), url: publicUrl + unsubscribePath },
  });
}

function valuesOf({ store, what: plan, amountCents, date, card }: SubscriptionReminder) {
  return {
    store: store.name,
    plan,
    amount: sayAmount(amountCents ?? 0),
    date: sayDay(date),
    card: (card && cardText(card)) ?? say('checkout.card'),
  };
}
