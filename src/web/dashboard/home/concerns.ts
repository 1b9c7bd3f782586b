import { chargesBehind } from '../../../charges/charges-behind.ts';
import { respondByOf } from '../../../charges/disputes/respond-by.ts';
import { type OpenDispute, openDisputes } from '../../../charges/disputes/undecided-disputes.ts';
import type { Attention } from '../../../database/entities/attention.ts';
import { METHOD_TRAITS } from '../../../domain/payment-methods.ts';
import { waitingPayoutsSum } from '../../../payouts/waiting-payouts.ts';
import { openAttentionOf } from '../../../recovery/open-attention.ts';
import type { WebhookHealth } from '../../../webhooks/webhooks-by-failures.ts';
import { type Html, html } from '../../frame/html.ts';
import { type Icon, icon } from '../../frame/icons.ts';
import { dayText } from '../../i18n/dates.ts';
import { link, section, time } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';
import { attentionIcon, attentionLink, linksToObject } from './attention-links.ts';
import { attentionWords } from './attention-words.ts';
import { concernNames } from './concern-subjects.ts';

/** Something that a person should look at. */
interface Concern {
  readonly icon: Icon;
  readonly title: string;
  readonly detail: Html | string;
  /** A link to where it is solved. */
  readonly where: Html | null;
}

const SHOWN_DISPUTES = 5;
const SHOWN_ATTENTION = 10;

/** What needs a person, each with a link to where it is solved. Null if there is nothing. */
export async function concernsPanel(visit: Visit, webhooks: readonly WebhookHealth[]): Promise<Html | null> {
  const { say } = visit;
  const found = await Promise.all([approvals(visit), disputes(visit), attention(visit)]);
  const concerns = [...found.flat(), ...failing(visit, webhooks)];
  if (concerns.length === 0) return null;
  const items = concerns.map(
    (concern) =>
      html`<li class="concern">${icon(concern.icon)}<div><p class="concern__title">${concern.title}</p><p class="soft">${concern.detail}</p></div>${concern.where !== null && html`<p class="concern__where">${concern.where}</p>`}</li>\n`,
  );
  return section(
    say('dashboard.home.needsAttention'),
    html`<ul class="concerns">
${items}</ul>`,
  );
}

/** Payouts that wait for an approval, for people who can give it. */
async function approvals(visit: Visit): Promise<readonly Concern[]> {
  const { say, em, caller } = visit;
  if (!visit.can('payout:approve')) return [];
  const { count, cents } = await waitingPayoutsSum(em, caller);
  if (count === 0) return [];
  const sum = amount(cents);
  const title = say('dashboard.home.payoutsInTotalAreWaiting', { count, sum });
  const detail = say('dashboard.home.theMoneyIsReserved');
  return [{ icon: 'badge-check', title, detail, where: link(visit, '/approvals', say('dashboard.decide')) }];
}

async function disputes(visit: Visit): Promise<readonly Concern[]> {
  const { say, em, caller, locale } = visit;
  const open = await openDisputes(em, caller, SHOWN_DISPUTES + 1);
  const shown = open.slice(0, SHOWN_DISPUTES).map((dispute): Concern => {
    const { chargeId, status, amountCents, openedAt } = dispute;
    const money = { amount: amount(amountCents) };
    return {
      icon: 'shield-check',
      title:
        status === 'OPEN'
          ? say('dashboard.home.aPaymentIsDisputedAnd', money)
          : say('dashboard.home.aCardIssuerAsksAbout', money),
      detail: html`${say('dashboard.since')} ${time({ locale }, openedAt)}. ${responseDue(visit, dispute)}`,
      where: link(visit, `/payments/${chargeId}`, say('dashboard.home.seeThePayment')),
    };
  });
  if (open.length <= SHOWN_DISPUTES) return shown;
  const all: Concern = {
    icon: 'shield-check',
    title: say('dashboard.home.morePaymentsAreDisputed'),
    detail: '',
    where: link(visit, '/payments?status=UNDER_DISPUTE', say('dashboard.home.seeAll')),
  };
  return [...shown, all];
}

/** What a dispute waits for, and until when. */
function responseDue({ say, locale, storeNow }: Visit, dispute: OpenDispute): string {
  if (dispute.evidenceSubmittedAt !== null) return say('dashboard.home.theEvidenceWasSent');
  const respondBy = respondByOf(dispute.method, dispute);
  if (respondBy === null) return say('dashboard.home.sendYourEvidenceToYourProvider');
  const until = dayText(locale, respondBy);
  if (respondBy < storeNow) return say('dashboard.home.theDeadlineForEvidencePassed', { until });
  return METHOD_TRAITS[dispute.method].contestedBy === 'MED'
    ? say('dashboard.home.sendYourEvidenceToYour', { until })
    : say('dashboard.home.sendYourEvidenceBy', { until });
}

/** What the service found and cannot finish by itself. */
async function attention(visit: Visit): Promise<readonly Concern[]> {
  const { say, em, caller, locale } = visit;
  const open = await openAttentionOf(em, caller, SHOWN_ATTENTION);
  const charges = await chargesBehind(
    em,
    caller,
    open.map(({ subjectId }) => subjectId),
  );
  const names = await concernNames(visit, open);
  return open.map((note) => {
    const { what, why } = attentionWords(note.kind, say);
    const where = attentionLink(visit, note, charges);
    return {
      icon: attentionIcon(note.kind),
      title: what,
      detail: html`${why} ${subjectText(note, names, where)}${say('dashboard.since')} ${time({ locale }, note.since)}.`,
      where,
    };
  });
}

/** What the note is about, unless its link says it: by name, or by id if it has no name. */
function subjectText(
  { kind, subjectId, storeId }: Attention,
  names: ReadonlyMap<string, string>,
  where: Html | null,
): Html | null {
  if (subjectId === storeId || (where !== null && linksToObject(kind))) return null;
  const name = names.get(subjectId);
  return name === undefined ? html`<code>${subjectId}</code> ` : html`${name}. `;
}

/** Endpoints that get nothing, or not everything. */
function failing(visit: Visit, webhooks: readonly WebhookHealth[]): readonly Concern[] {
  const { say, locale } = visit;
  return webhooks.flatMap((webhook): Concern[] => {
    const { id, name, isDisabled, pausedUntil, delivered, failed, waiting } = webhook;
    if (!isDisabled && pausedUntil === null && failed === 0) return [];
    const title = isDisabled
      ? say('dashboard.home.theWebhookIsDisabledAnd', { name })
      : pausedUntil !== null
        ? say('dashboard.home.theWebhookDoesNotAnswer', { name })
        : say('dashboard.home.theWebhookRefusesDeliveries', { name });
    const counts = say('dashboard.home.in24Hours', { delivered, failed, pending: waiting });
    const detail =
      pausedUntil === null
        ? counts
        : html`${counts} ${say('dashboard.home.deliveriesResumeAt')} ${time({ locale }, pausedUntil)}.`;
    return [
      {
        icon: 'webhook',
        title,
        detail,
        where: link(visit, `/webhooks/${id}`, say('dashboard.home.seeTheDeliveries')),
      },
    ];
  });
}
