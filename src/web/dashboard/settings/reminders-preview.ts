import type { Store } from '../../../database/entities/store.ts';
import type { BoletoTerms } from '../../../domain/charge.ts';
import { addDays, saoPauloDateOf } from '../../../domain/civil-date.ts';
import { amountDueCents, lastDayToPay } from '../../../domain/late-charges.ts';
import { type Html, html } from '../../frame/html.ts';
import { inLanguage, LANGUAGES, type Language, localeOf } from '../../frame/language.ts';
import { renderReminderMail } from '../../frame/reminder-mail.ts';
import { translate } from '../../i18n/translate.ts';
import { section } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { LANGUAGE_NAMES } from './language-names.ts';

/** The message of each step in each language, about an invented boleto with fine and interest. */
export function renderReminderPreviews(visit: Visit, store: Store, steps: readonly number[]): Html {
  const { say } = visit;
  return section(
    say('dashboard.settings.reminders.preview'),
    html`${LANGUAGES.map(
      (language, index) =>
        html`<details class="preview" name="preview"${index === 0 && html` open`}><summary>${LANGUAGE_NAMES[language]}</summary>
${steps.map((days) => renderStep(visit, store, language, days))}
</details>`,
    )}`,
  );
}

function renderStep(visit: Visit, store: Store, language: Language, days: number): Html {
  const dueDate = addDays(saoPauloDateOf(visit.storeNow), 5);
  const terms: BoletoTerms = {
    amountCents: 14_990,
    dueDate,
    interest: { value: 100 },
    fine: { type: 'PERCENTAGE', value: 200 },
  };
  const today = addDays(dueDate, days);
  const reminder = {
    store,
    devMode: visit.devMode,
    what: translate(localeOf(language), 'dashboard.settings.reminders.sampleProduct'),
    dueDate,
    today,
    dueCents: amountDueCents(terms, today),
    lastDay: lastDayToPay(terms),
    payPath: '/boleto/…',
    portalPath: '/portal/…',
    unsubscribePath: '/unsubscribe/…',
  };
  const { subject, text } = inLanguage(language, () => renderReminderMail(reminder, visit.deps.publicUrl));
  return html`<article class="mail-preview"><h3>${stepName(visit, days)}</h3>
<div lang="${localeOf(language)}"><p><strong>${subject}</strong></p>
<p class="mail-preview__text">${text.trim()}</p></div></article>`;
}

function stepName({ say }: Visit, days: number): string {
  if (days === 0) return say('dashboard.settings.reminders.today');
  return days < 0
    ? say('dashboard.settings.reminders.before', { days: -days })
    : say('dashboard.settings.reminders.after', { days });
}
