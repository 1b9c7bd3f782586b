import type { Store } from '../../../database/entities/store.ts';
import type { DueTerms } from '../../../domain/charge.ts';
import { addDays, lastOfMonth, saoPauloDateOf } from '../../../domain/civil-date.ts';
import { amountDueCents } from '../../../domain/fine-and-interest.ts';
import { LANGUAGES, type Language } from '../../../domain/language.ts';
import { lastDayToPay } from '../../../domain/last-day-to-pay.ts';
import {
  isOfSubscriptions,
  REMINDER_KINDS,
  type ReminderKind,
  type ReminderSettings,
  type SubscriptionReminderKind,
  scheduleOf,
} from '../../../domain/reminders.ts';
import { type Html, html } from '../../frame/html.ts';
import { inLanguage, localeOf } from '../../frame/language.ts';
import type { Mail } from '../../frame/mail-layout.ts';
import { renderReminderMail } from '../../frame/reminder-mail.ts';
import { renderSubscriptionReminderMail } from '../../frame/subscription-reminder-mail.ts';
import { translate } from '../../i18n/translate.ts';
import { section } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { LANGUAGE_NAMES } from './language-names.ts';
import { REMINDER_KIND_NAMES } from './reminder-kind-names.ts';

/** The message of each kind and step in each language, about invented payments. */
export function renderReminderPreviews(visit: Visit, store: Store, settings: ReminderSettings): Html {
  const { say } = visit;
  return section(
    say('dashboard.settings.reminders.preview'),
    html`${LANGUAGES.map(
      (language, index) =>
        html`<details class="preview" name="preview"${index === 0 && html` open`}><summary class="folds">${LANGUAGE_NAMES[language]}</summary>
${REMINDER_KINDS.map((kind) =>
  scheduleOf(settings, kind).steps.map((days) => renderStep(visit, store, language, { kind, days })),
)}
</details>`,
    )}`,
  );
}

interface Step {
  readonly kind: ReminderKind;
  readonly days: number;
}

function renderStep(visit: Visit, store: Store, language: Language, { kind, days }: Step): Html {
  const { subject, text } = inLanguage(language, () =>
    isOfSubscriptions(kind)
      ? subscriptionMail(visit, store, language, kind)
      : boletoMail(visit, store, language, days),
  );
  return html`<article class="mail-preview"><h3>${visit.say(REMINDER_KIND_NAMES[kind])}: ${stepName(visit, days)}</h3>
<div lang="${localeOf(language)}"><p><strong>${subject}</strong></p>
<p class="mail-preview__text">${text.trim()}</p></div></article>`;
}

const PATHS = { portalPath: '/portal/…', unsubscribePath: '/unsubscribe/…' };

function whatIn(language: Language): string {
  return translate(localeOf(language), 'dashboard.settings.reminders.sampleProduct');
}

/** About a boleto with fine and interest. */
function boletoMail(visit: Visit, store: Store, language: Language, days: number): Mail {
  const dueDate = addDays(saoPauloDateOf(visit.storeNow), 5);
  const terms: DueTerms = {
    method: 'BOLETO',
    amountCents: 14_990,
    dueDate,
    interest: { value: 100 },
    fine: { type: 'PERCENTAGE', value: 200 },
  };
  const today = addDays(dueDate, days);
  const reminder = {
    ...PATHS,
    store,
    devMode: visit.devMode,
    what: whatIn(language),
    dueDate,
    today,
    dueCents: amountDueCents(terms, today),
    lastDay: lastDayToPay(terms),
    payPath: '/boleto/…',
  };
  return renderReminderMail(reminder, visit.deps.publicUrl);
}

/** About a subscription that a card pays. */
function subscriptionMail(
  { storeNow, devMode, deps }: Visit,
  store: Store,
  language: Language,
  kind: SubscriptionReminderKind,
): Mail {
  const date = addDays(saoPauloDateOf(storeNow), 5);
  const reminder = {
    ...PATHS,
    ...{ store, devMode, kind },
    what: whatIn(language),
    amountCents: 14_990,
    date: kind === 'CARD_EXPIRY' ? lastOfMonth(date) : date,
    card: { cardBrand: 'visa', cardLastFour: '4242' },
    payPath: null,
  };
  return renderSubscriptionReminderMail(reminder, deps.publicUrl);
}

function stepName({ say }: Visit, days: number): string {
  if (days === 0) return say('dashboard.settings.reminders.today');
  return days < 0
    ? say('dashboard.settings.reminders.before', { days: -days })
    : say('dashboard.settings.reminders.after', { days });
}
