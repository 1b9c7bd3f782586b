import type { Charge } from '../../database/charge.ts';
import { installmentAmountsCents, linkableUrl } from '../../domain/checkout.ts';
import { formatBrl } from '../../domain/money.ts';
import { type Html, html } from '../html.ts';
import { cardText } from './card-wording.ts';
import type { LoadedPayment } from './load-payment.ts';
import { renderUpSell } from './up-sell-offer.ts';

const WHEN = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** What a payer sees once they have paid: that it worked, what they got for it, and where to go from here. */
export function renderConfirmation(payment: LoadedPayment): Html {
  const { charge, loaded } = payment;
  const { checkout, merchantName } = loaded;
  const completionUrl = linkableUrl(checkout.completionUrl);
  return html`<section class="panel state state--good">
<svg class="state__check" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="10"/><path d="m5.5 10.5 3 3 6-6.5"/></svg>
<h1>${charge.method === 'FREE' ? 'Pedido concluído' : 'Pagamento confirmado'}</h1>
<p class="state__amount">${formatBrl(charge.paidAmountCents ?? charge.amountCents)}</p>
<p class="state__text">${howText(charge)}${charge.paidAt !== null && html`<br>em <time datetime="${charge.paidAt.toISOString()}">${WHEN.format(charge.paidAt).replace(', ', ' às ')}</time>`}<br>para ${merchantName}</p>
<p class="actions">${completionUrl !== null && html`<a class="button" href="${completionUrl}" rel="noopener noreferrer">Voltar para a loja</a>`}
<a class="button${completionUrl !== null && ' button--quiet'}" href="/receipt/${charge.id}">Ver comprovante</a></p>
${charge.upsellOf !== null && html`<p class="state__text"><a href="/pay/${checkout.id}/${charge.upsellOf}">Ver o seu pedido</a></p>`}
</section>
${renderFiles(payment)}
${renderUpSell(payment)}
${checkout.frequency === 'MULTIPLE_PAYMENTS' && renderPaidItems(charge)}`;
}

function howText(charge: Charge): string | Html {
  if (charge.method === 'FREE') return 'Sem pagamento: o cupom cobriu todo o valor';
  if (charge.method === 'PIX') return 'Pago com PIX';
  if (charge.method === 'BOLETO') return 'Pago com boleto';
  const count = charge.installmentsCount ?? 1;
  const card = `Pago com ${cardText(charge) ?? 'cartão'}`;
  const [, each] = installmentAmountsCents(charge.amountCents, count);
  return each === undefined
    ? `${card}, à vista`
    : html`${card}, em <span class="nowrap">${count}x de ${formatBrl(each)}</span>`;
}

function renderFiles({ charge, filesOf }: LoadedPayment): Html | null {
  const items = (charge.items ?? []).filter(({ productId }) => filesOf.has(productId));
  if (items.length === 0) return null;
  return html`<section class="panel" aria-labelledby="files-heading">
<h2 id="files-heading">Seus arquivos</h2>
<ul class="files">
${items.map(({ productId, name }) => html`<li><a class="file" href="/pay/${charge.checkoutId ?? ''}/${charge.id}/files/${productId}" download><svg class="file__icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 20h14"/></svg><span>Baixar ${name}</span></a></li>\n`)}
</ul>
<p class="part__hint">Guarde o endereço desta página para baixar de novo.</p>
</section>`;
}

/** Many pay through one link, so each is told which payment is theirs. */
function renderPaidItems({ id, items }: Charge): Html {
  return html`<section class="panel" aria-labelledby="paid-heading">
<h2 id="paid-heading">O que este pagamento cobre</h2>
<ul class="paid">
${(items ?? []).map(({ name, quantity }) => html`<li>${quantity} × ${name}</li>\n`)}
</ul>
<p class="part__hint">Identificação do pagamento: <span class="paid__id">${id}</span></p>
</section>`;
}
