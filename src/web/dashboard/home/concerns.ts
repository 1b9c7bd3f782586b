import { chargesBehind } from '../../../charges/charges-behind.ts';
import { openDisputes } from '../../../charges/disputes/open-disputes.ts';
import { openAttentionOf } from '../../../database/attention.ts';
import { addDays, saoPauloDateOf } from '../../../domain/civil-date.ts';
import { waitingPayouts } from '../../../payouts/waiting-payouts.ts';
import type { WebhookHealth } from '../../../webhooks/webhook-health.ts';
import { type Html, html } from '../../frame/html.ts';
import { type Icon, icon } from '../../frame/icons.ts';
import { link, section, time } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, shortDay } from '../words.ts';
import { attentionIcon, attentionLink } from './attention-links.ts';
import { attentionWords } from './attention-words.ts';

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

/** Banks have seven days to decide about a Pix that its payer disputes (MED, Banco Central). */
const MED_DAYS = 7;

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
    say('Precisa de atenção', 'Needs attention'),
    html`<ul class="concerns">
${items}</ul>`,
  );
}

/** Payouts that wait for an approval, for people who can give it. */
async function approvals(visit: Visit): Promise<readonly Concern[]> {
  const { say, em, caller } = visit;
  if (!visit.can('payout:approve')) return [];
  const { count, cents } = await waitingPayouts(em, caller);
  if (count === 0) return [];
  const sum = amount(cents);
  const title =
    count === 1
      ? say(
          `Um envio de ${sum} espera por uma segunda pessoa.`,
          `One payout of ${sum} is waiting for a second person.`,
        )
      : say(
          `${count} envios, de ${sum} ao todo, esperam por uma segunda pessoa.`,
          `${count} payouts, ${sum} in total, are waiting for a second person.`,
        );
  const detail = say('O dinheiro está reservado.', 'The money is reserved.');
  return [{ icon: 'badge-check', title, detail, where: link(visit, '/approvals', say('Decidir', 'Decide')) }];
}

async function disputes(visit: Visit): Promise<readonly Concern[]> {
  const { say, em, caller, locale } = visit;
  const open = await openDisputes(em, caller, SHOWN_DISPUTES + 1);
  const shown = open.slice(0, SHOWN_DISPUTES).map(({ chargeId, method, amountCents, openedAt }): Concern => {
    const until = shortDay(addDays(saoPauloDateOf(openedAt), MED_DAYS), locale);
    const deadline =
      method === 'PIX'
        ? say(
            `Envie as provas ao seu banco: ele decide até ${until}.`,
            `Send your evidence to your bank: it decides by ${until}.`,
          )
        : say('Envie as provas ao seu provedor.', 'Send your evidence to your provider.');
    return {
      icon: 'shield-check',
      title: say(
        `Um pagamento está em disputa, e ${amount(amountCents)} estão bloqueados.`,
        `A payment is disputed, and ${amount(amountCents)} are blocked.`,
      ),
      detail: html`${say('Desde', 'Since')} ${time({ locale }, openedAt)}. ${deadline}`,
      where: link(visit, `/payments/${chargeId}`, say('Ver o pagamento', 'See the payment')),
    };
  });
  if (open.length <= SHOWN_DISPUTES) return shown;
  const all: Concern = {
    icon: 'shield-check',
    title: say('Há mais pagamentos em disputa.', 'More payments are disputed.'),
    detail: '',
    where: link(visit, '/payments?status=UNDER_DISPUTE', say('Ver todos', 'See all')),
  };
  return [...shown, all];
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
  return open.map((note) => {
    const { what, why } = attentionWords(note.kind, locale);
    return {
      icon: attentionIcon(note.kind),
      title: what,
      detail: html`${why} <code>${note.subjectId}</code> ${say('Desde', 'Since')} ${time({ locale }, note.since)}.`,
      where: attentionLink(visit, note, charges),
    };
  });
}

/** Endpoints that get nothing, or not everything. */
function failing(visit: Visit, webhooks: readonly WebhookHealth[]): readonly Concern[] {
  const { say, locale } = visit;
  return webhooks.flatMap((webhook): Concern[] => {
    const { id, name, isDisabled, pausedUntil, delivered, failed, pending } = webhook;
    if (!isDisabled && pausedUntil === null && failed === 0) return [];
    const title = isDisabled
      ? say(
          `O webhook “${name}” está desligado e não recebe nada.`,
          `The webhook “${name}” is disabled and receives nothing.`,
        )
      : pausedUntil !== null
        ? say(`O webhook “${name}” não responde.`, `The webhook “${name}” does not answer.`)
        : say(`O webhook “${name}” recusa entregas.`, `The webhook “${name}” refuses deliveries.`);
    const counts = say(
      `Em 24 horas: ${delivered} entregues, ${failed} falharam, ${pending} esperam.`,
      `In 24 hours: ${delivered} delivered, ${failed} failed, ${pending} waiting.`,
    );
    const detail =
      pausedUntil === null
        ? counts
        : html`${counts} ${say('As entregas voltam às', 'Deliveries resume at')} ${time({ locale }, pausedUntil)}.`;
    return [
      {
        icon: 'webhook',
        title,
        detail,
        where: link(visit, `/webhooks/${id}`, say('Ver as entregas', 'See the deliveries')),
      },
    ];
  });
}
