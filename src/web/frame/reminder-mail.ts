import type { CivilDate } from '../../domain/civil-date.ts';
import { sayAmount } from '../i18n/money.ts';
import { say, sayDay } from './language.ts';
import type { Mail } from './mail-layout.ts';
import { type PayersStore, payerMail } from './payer-mail.ts';

/** What a reminder says about an unpaid boleto. */
export interface Reminder {
  readonly store: PayersStore;
  readonly devMode: boolean;
  /** What is paid for; empty if nobody has said it. */
  readonly what: string;
  readonly dueDate: CivilDate;
  readonly today: CivilDate;
  /** What a payment costs today. */
  readonly dueCents: number;
  /** The last day on which it can be paid. */
  readonly lastDay: CivilDate;
  readonly payPath: string;
  /** Of the payer's customer portal; null without one. */
  readonly portalPath: string | null;
  readonly unsubscribePath: string;
}

/** A reminder, in the current language. */
export function renderReminderMail(reminder: Reminder, publicUrl: string): Mail {
  const { store, devMode, what, dueCents, dueDate, payPath, portalPath, unsubscribePath } = reminder;
  return payerMail({
    store,
    devMode,
    amount: sayAmount(dueCents),
    ...wordsOf(reminder),
    facts: [
      ...(what === '' ? [] : [[say('payer.description'), what] as const]),
      [say('payer.dueDate'), sayDay(dueDate)],
    ],
    links: [
      { text: say('reminder.mail.pay'), url: publicUrl + payPath },
      ...(portalPath === null ? [] : [{ text: say('receipt.allYourPayments'), url: publicUrl + portalPath }]),
    ],
    notes: [say('reminder.mail.ifPaid')],
    unsubscribe: { text: say('reminder.mail.unsubscribe'), url: publicUrl + unsubscribePath },
  });
}

function wordsOf({ store: { name: store }, dueDate, today, dueCents, lastDay }: Reminder) {
  const words = { store, amount: sayAmount(dueCents), date: sayDay(dueDate) };
  if (today < dueDate)
    return {
      heading: say('reminder.mail.before.subject', words),
      lines: [say('reminder.mail.before', words)],
    };
  if (today === dueDate)
    return { heading: say('reminder.mail.today.subject', words), lines: [say('reminder.mail.today', words)] };
  return {
    heading: say('reminder.mail.after.subject', words),
    lines: [say('reminder.mail.after', words), say('reminder.mail.payableUntil', { date: sayDay(lastDay) })],
  };
}
