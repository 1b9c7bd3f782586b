import { randomUUID } from 'node:crypto';
import { cellphone as cellphoneField, name as nameField } from '../../api/customers/fields.ts';
import { startDeliveries } from '../../api/frame/start-deliveries.ts';
import { parseZipCode } from '../../domain/payer.ts';
import { maskTaxId } from '../../domain/tax-id.ts';
import { changeOwnDetails, type OwnDetails } from '../../portal/change-details.ts';
import { AlreadySent, recordPayerAction, wasSent } from '../../portal/record-payer-action.ts';
import { portalSettingsOf } from '../../stores/portal-settings.ts';
import { fact } from '../frame/facts.ts';
import { type Field, textField } from '../frame/fields.ts';
import { html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, seeOther, sendHtml } from '../frame/page-context.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { backLink, showNotPossible } from './not-possible.ts';
import { renderPortalLayout } from './portal-layout.ts';
import { type PayerVisit, requireSession } from './visit.ts';

/** The fields of the form, as they were typed. */
type Typed = Readonly<Record<keyof OwnDetails, string>>;
type Problems = Readonly<Partial<Record<keyof OwnDetails, MessageKey>>>;

/** The page on which customers change their own details. */
export async function showDetails(visit: PayerVisit): Promise<void> {
  if (!(await isAllowed(visit))) return refuse(visit);
  const { name, cellphone, zipCode } = visit.customer;
  await renderForm(visit, { name: name ?? '', cellphone: cellphone ?? '', zipCode: zipCode ?? '' });
}

/**
 * Changes the details. The store's settings decide now. A form that is sent twice changes them once, and one that was opened before
 * somebody else has changed them changes nothing.
 */
export async function takeDetails(visit: PayerVisit, form: URLSearchParams): Promise<void> {
  const { ctx, em, deps, customer, path, now } = visit;
  if (!(await isAllowed(visit))) return refuse(visit);
  const submission = form.get('submission');
  const shownAt = new Date(Number(form.get('shownAt') ?? Number.NaN));
  if (!submission || Number.isNaN(shownAt.getTime())) throw new NoticeError(400, NOTICES.badForm);
  const { id: subjectId, storeId, devMode } = customer;
  const sent = { storeId, devMode, subjectId, submission };
  const back = `${path}?details=changed#data`;
  if (await wasSent(em, sent)) return seeOther(ctx, back);
  const typed = typedIn(form);
  const details = detailsOf(typed);
  if ('problems' in details) return renderForm(visit, typed, details.problems);
  try {
    const deliveries = await em.fork().transactional(async (tx) => {
      await requireSession(tx, visit);
      const changed = await changeOwnDetails(tx, customer, details, shownAt, visit.storeNow);
      if (changed !== null) await recordPayerAction(tx, sent, { action: 'customers/update' }, now);
      return changed;
    });
    if (deliveries === null)
      return showNotPossible(visit, say('portal.details.title'), say('portal.details.changedMeanwhile'));
    startDeliveries(deps, deliveries);
  } catch (error) {
    // The other form of a double click has changed them.
    if (!(error instanceof AlreadySent)) throw error;
  }
  seeOther(ctx, back);
}

async function isAllowed({ em, customer }: PayerVisit): Promise<boolean> {
  return (await portalSettingsOf(em, customer)).changesDetails;
}

function refuse(visit: PayerVisit): void {
  showNotPossible(visit, say('portal.details.title'), say('portal.action.notPossibleNow'));
}

function typedIn(form: URLSearchParams): Typed {
  const typed = (field: keyof OwnDetails) => (form.get(field) ?? '').trim();
  return { name: typed('name'), cellphone: typed('cellphone'), zipCode: typed('zipCode') };
}

/** The details, or what is wrong with each field. An empty telephone or CEP removes it. */
function detailsOf(typed: Typed): OwnDetails | { readonly problems: Problems } {
  const zipCode = typed.zipCode === '' ? null : parseZipCode(typed.zipCode);
  const cellphone = typed.cellphone === '' ? null : typed.cellphone;
  const isPhone =
    cellphone === null || (PHONE.test(cellphone) && cellphoneField.safeParse(cellphone).success);
  const problems: Problems = {
    ...(!nameField.safeParse(typed.name).success && { name: 'portal.details.writeYourName' }),
    ...(!isPhone && { cellphone: 'portal.details.writeAPhone' }),
    ...(zipCode === null && typed.zipCode !== '' && { zipCode: 'portal.details.writeACep' }),
  };
  return Object.keys(problems).length > 0 ? { problems } : { name: typed.name, cellphone, zipCode };
}

/** Digits as people write them: +55 (11) 91234-5678. */
const PHONE = /^\+?[\d ().-]+$/;

async function renderForm(visit: PayerVisit, typed: Typed, problems: Problems = {}): Promise<void> {
  const { ctx, em, path, csrfToken, customer } = visit;
  const { changesEmail } = await portalSettingsOf(em, customer);
  const wrong = Object.fromEntries(Object.entries(problems).map(([name, key]) => [name, say(key)]));
  const field = (name: keyof OwnDetails, label: MessageKey, others: Partial<Field>) =>
    textField({ name, label: say(label), value: typed[name], problems: wrong, ...others });
  const title = say('portal.details.title');
  const main = html`<section class="panel portal__step">
<h1>${title}</h1>
<p>${say('portal.details.means')}</p>
<dl class="facts">
${fact(say('portal.door.email'), changesEmail ? html`${customer.email}<br><a href="${path}/details/email">${say('portal.email.title')}</a>` : customer.email)}
${customer.taxId !== null && fact('CPF/CNPJ', maskTaxId(customer.taxId))}
</dl>
<p class="soft">${say(changesEmail ? 'portal.details.askTheStoreForTheTaxId' : 'portal.details.askTheStore')}</p>
<form method="post" action="${path}/details">
<input type="hidden" name="csrf" value="${csrfToken}">
<input type="hidden" name="submission" value="${randomUUID()}">
<input type="hidden" name="shownAt" value="${customer.updatedAt.getTime()}">
${field('name', 'portal.details.name', { autocomplete: 'name', maxLength: 140 })}
${field('cellphone', 'portal.details.phone', { type: 'tel', autocomplete: 'tel', maxLength: 30, required: false })}
${field('zipCode', 'portal.details.cep', { autocomplete: 'postal-code', maxLength: 9, required: false, attributes: html` inputmode="numeric"` })}
<button class="button">${say('portal.details.save')}</button>
</form>
${backLink(visit)}
</section>`;
  sendHtml(ctx, Object.keys(problems).length === 0 ? 200 : 422, renderPortalLayout(visit, { title, main }));
}
