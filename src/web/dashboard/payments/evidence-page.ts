import { notFound } from '../../../api/frame/errors.ts';
import { readEvidence, type StoredEvidence } from '../../../charges/disputes/evidence-rows.ts';
import type { Dispute } from '../../../database/entities/dispute.ts';
import {
  EVIDENCE_FILES,
  EVIDENCE_TEXTS,
  type EvidenceFileKind,
  type EvidenceText,
  MAX_EVIDENCE_TEXT_CHARS,
} from '../../../domain/dispute-evidence.ts';
import { fileField, selectField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { timeText } from '../../i18n/dates.ts';
import { link, section } from '../frame/components.ts';
import { dialogAfterForm, formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, type Reply } from '../frame/route.ts';
import { realMoneyStepUp, stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';
import { disputeReason } from './dispute-reason.ts';
import { type DisputedPayment, undecidedDispute } from './undecided-dispute.ts';

const TEXT_LABELS: Readonly<Record<EvidenceText, MessageKey>> = {
  productDescription: 'dashboard.evidence.text.productDescription',
  shippingCarrier: 'dashboard.evidence.text.shippingCarrier',
  shippingTrackingNumber: 'dashboard.evidence.text.shippingTrackingNumber',
  shippingDate: 'dashboard.evidence.text.shippingDate',
  serviceDate: 'dashboard.evidence.text.serviceDate',
  accessActivityLog: 'dashboard.evidence.text.accessActivityLog',
  cancellationRebuttal: 'dashboard.evidence.text.cancellationRebuttal',
  duplicateChargeExplanation: 'dashboard.evidence.text.duplicateChargeExplanation',
  refundRefusalExplanation: 'dashboard.evidence.text.refundRefusalExplanation',
  uncategorizedText: 'dashboard.evidence.text.uncategorizedText',
};

/** The dialog that submits. */
export const SUBMIT = 'submit-evidence';

/** Answers of one line. */
const SHORT: ReadonlySet<EvidenceText> = new Set([
  'shippingCarrier',
  'shippingTrackingNumber',
  'shippingDate',
  'serviceDate',
]);

const FILE_LABELS: Readonly<Record<EvidenceFileKind, MessageKey>> = {
  receipt: 'dashboard.evidence.file.receipt',
  shippingDocumentation: 'dashboard.evidence.file.shippingDocumentation',
  serviceDocumentation: 'dashboard.evidence.file.serviceDocumentation',
  customerCommunication: 'dashboard.evidence.file.customerCommunication',
  customerSignature: 'dashboard.evidence.file.customerSignature',
  refundPolicy: 'dashboard.evidence.file.refundPolicy',
  cancellationPolicy: 'dashboard.evidence.file.cancellationPolicy',
  uncategorizedFile: 'dashboard.evidence.file.uncategorizedFile',
};

/** Evidence for the undecided dispute of a payment: a draft, and its final submission. */
export const evidencePage: DashboardRoute = dashboardRoute({
  method: 'GET',
  path: '/payments/:id/evidence',
  action: 'refund',
  handler: (visit) => renderEvidence(visit),
});

async function renderEvidence(visit: Visit): Promise<Reply> {
  const { say } = visit;
  const disputed = await undecidedDispute(visit);
  if (disputed === null || !disputed.takesEvidence) throw notFound('Dispute');
  const { dispute } = disputed;
  const evidence = await readEvidence(visit.em, dispute.id);
  const isOpen = isEditable(dispute, evidence);
  const body = html`<p>${link(visit, `/payments/${dispute.chargeId}`, say('dashboard.home.seeThePayment'))}</p>
${section(say('dashboard.evidence.state'), stateOf(visit, disputed, evidence))}
${section(say('dashboard.evidence.files'), filesList(visit, dispute, evidence, isOpen))}
${isOpen && section(say('dashboard.evidence.whatHappened'), draftForm(visit, dispute, evidence))}
${isOpen && submitDialog(visit, dispute)}
${isOpen && section(say('dashboard.evidence.giveUp'), acceptButton(visit, dispute))}`;
  return page(visit, { title: say('dashboard.evidence.title'), active: 'payments', body });
}

/** Whether the draft can still be changed. The statements of the draft check it again. */
function isEditable({ evidenceSubmittedAt }: Dispute, evidence: StoredEvidence | null): boolean {
  if (evidenceSubmittedAt !== null) return false;
  return evidence === null || evidence.status === 'DRAFT' || evidence.status === 'REFUSED';
}

function stateOf(
  visit: Visit,
  { dispute, amountCents }: DisputedPayment,
  evidence: StoredEvidence | null,
): Html {
  const { say } = visit;
  const { respondBy } = dispute;
  const until =
    respondBy === null
      ? ''
      : say('dashboard.payments.respondBy', { until: timeText(visit.locale, respondBy) });
  return html`<p>${say('dashboard.evidence.about', { amount: amount(amountCents) })} ${dispute.reason !== null && say('dashboard.payments.reason', { reason: disputeReason(dispute.reason, say) })}</p>
<p><strong>${stateWords(visit, dispute, evidence)}</strong> ${until}</p>
${evidence?.status === 'SUBMITTING' || evidence?.status === 'ACCEPTING' ? form(visit, { action: `/payments/${dispute.chargeId}/evidence/retry`, submit: say('dashboard.evidence.sendNow'), style: 'quiet' }) : null}`;
}

function stateWords({ say }: Visit, dispute: Dispute, evidence: StoredEvidence | null): string {
  switch (evidence?.status) {
    case 'SUBMITTING':
    case 'ACCEPTING':
      return say('dashboard.evidence.isBeingSent');
    case 'SUBMITTED':
      return say('dashboard.evidence.wasSubmitted');
    case 'ACCEPTED':
      return say('dashboard.evidence.wasAccepted');
    case 'REFUSED':
      return say('dashboard.evidence.wasRefused', { code: evidence.failure ?? '' });
    case 'EXPIRED':
      return say('dashboard.evidence.expired');
    default:
      return dispute.evidenceSubmittedAt === null
        ? say('dashboard.evidence.isDraft')
        : say('dashboard.evidence.wasSubmitted');
  }
}

/**
 * The draft: texts and one file more. All of it is one form, so that nothing typed is lost by adding a file or by sending.
 * Its second button saves too, and then asks whether the evidence shall be submitted.
 */
function draftForm(visit: Visit, { chargeId }: Dispute, evidence: StoredEvidence | null): Html {
  const { say } = visit;
  const { text, area, problems } = fieldsOf(visit, 'draft');
  const texts = EVIDENCE_TEXTS.map((name) => {
    const field = {
      name,
      label: say(TEXT_LABELS[name]),
      value: evidence?.texts[name] ?? '',
      required: false,
    };
    return SHORT.has(name)
      ? text({ ...field, maxLength: 200 })
      : area({ ...field, maxLength: MAX_EVIDENCE_TEXT_CHARS });
  });
  const fields = html`${texts}${selectField({
    name: 'kind',
    label: say('dashboard.evidence.kindOfFile'),
    value: visit.field('kind'),
    options: EVIDENCE_FILES.map((kind) => [kind, say(FILE_LABELS[kind])] as const),
  })}${fileField({
    name: 'file',
    label: say('dashboard.evidence.file'),
    hint: say('dashboard.evidence.fileRules'),
    accept: 'application/pdf,image/png,image/jpeg',
    required: false,
    problems,
  })}`;
  return form(visit, {
    action: `/payments/${chargeId}/evidence`,
    fields,
    submit: say('dashboard.evidence.saveDraft'),
    style: 'quiet',
    isWide: true,
    hasFile: true,
    beside: html`<button class="button button--plain" name="next" value="submit">${say('dashboard.evidence.saveAndSubmit')}</button>`,
  });
}

function filesList(
  visit: Visit,
  { chargeId }: Dispute,
  evidence: StoredEvidence | null,
  isOpen: boolean,
): Html {
  const { say } = visit;
  const files = evidence?.files ?? [];
  if (files.length === 0) return html`<p class="soft">${say('dashboard.evidence.noFiles')}</p>`;
  const rows = files.map(
    ({ kind, type, sizeBytes }) =>
      html`<li>${say(FILE_LABELS[kind])} (${type}, ${Math.ceil(sizeBytes / 1_000)} kB)
${isOpen && form(visit, { action: `/payments/${chargeId}/evidence/remove-file`, fields: html`<input type="hidden" name="kind" value="${kind}">`, submit: say('dashboard.evidence.removeFile'), style: 'link' })}</li>\n`,
  );
  return html`<ul>${rows}</ul>`;
}

/** Submits what was saved; opened by the draft's second button. It is final, so it asks for the password again. */
function submitDialog(visit: Visit, { chargeId }: Dispute): Html {
  const { say } = visit;
  const fields = stepUpFields(visit, realMoneyStepUp(visit), fieldsOf(visit, SUBMIT).problems, SUBMIT);
  return dialogAfterForm(visit, {
    name: SUBMIT,
    title: say('dashboard.evidence.submitQuestion'),
    text: say('dashboard.evidence.submitMeans'),
    action: `/payments/${chargeId}/evidence/submit`,
    ...(fields !== null && { fields }),
    submit: say('dashboard.evidence.submit'),
  });
}

/** Gives the money back. It is final too. */
function acceptButton(visit: Visit, { chargeId }: Dispute): Html {
  const { say } = visit;
  const name = 'accept-dispute';
  const fields = stepUpFields(visit, realMoneyStepUp(visit), fieldsOf(visit, name).problems, name);
  return formDialog(visit, {
    name,
    button: say('dashboard.evidence.accept'),
    title: say('dashboard.evidence.acceptQuestion'),
    text: say('dashboard.evidence.acceptMeans'),
    action: `/payments/${chargeId}/evidence/accept`,
    ...(fields !== null && { fields }),
    isDangerous: true,
  });
}
