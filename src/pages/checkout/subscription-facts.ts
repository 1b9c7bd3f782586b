import type { Store } from '../../database/entities/store.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { formatBrl } from '../../domain/money.ts';
import { RETRIES_EXCEEDED } from '../../domain/subscription.ts';
import { formatDate, formatDays } from '../boleto/boleto-wording.ts';
import { type Html, html } from '../frame/html.ts';
import { cardText } from './card-wording.ts';
import type { LoadedSubscription } from './load-subscription.ts';
import { storeLink } from './store-identity.ts';
import { cyclePriceText, everyCycle } from './subscription-plan.ts';

/** How a subscription stands: its plan, its next charge, and how it is ended, or that it was. */
export function renderSubscriptionFacts(loaded: LoadedSubscription, store: Store): Html {
  const { subscription, waiting } = loaded;
  const { plan, checkoutId, status, cycle } = subscription;
  const isActive = status === 'ACTIVE';
  const name = plan.quantity === 1 ? plan.name : `${plan.quantity} × ${plan.name}`;
  return html`<section class="panel subscription" aria-labelledby="subscription-heading">
<h2 id="subscription-heading">Sua assinatura</h2>
${
  isActive &&
  waiting !== null &&
  html`<div class="subscription__open"><p>Há um código PIX de <strong>${formatBrl(waiting.amountCents)}</strong> esperando o pagamento.</p>
<p class="actions"><a class="button" href="/pay/${checkoutId}/${waiting.id}">Pagar com PIX</a></p></div>`
}
<dl class="facts">
${fact('Plano', name)}
${fact('Preço', cyclePriceText(subscription))}
${fact('Pagamento', cardText(subscription) ?? `PIX, um código novo ${everyCycle(cycle)}`)}
${isActive ? nextChargeFact(loaded) : endFact(loaded)}
</dl>
${isActive && html`<p class="part__hint">${addressHint(subscription.method)} Para cancelar ou mudar de plano, escreva para ${storeLink(store)}.</p>`}
</section>`;
}

function addressHint(method: 'PIX' | 'CARD'): string {
  return method === 'PIX'
    ? 'Guarde o endereço desta página: é nele que aparece o código de cada cobrança.'
    : 'Guarde o endereço desta página para acompanhar a assinatura.';
}

/** While a cycle's charge has failed, the next one is a further attempt at it. */
function nextChargeFact({ subscription, nextCharge, waiting }: LoadedSubscription): Html {
  const { failedAttempts, retryEveryDays, cycleEndsAt, method } = subscription;
  if (failedAttempts > 0) {
    const again =
      method === 'CARD' ? `nova tentativa em até ${formatDays(retryEveryDays)}` : 'um novo código é gerado';
    return fact(
      'Cobrança em aberto',
      waiting === null ? `A última não foi paga; ${again}.` : 'A última não foi paga a tempo.',
    );
  }
  const { amountCents, usageCents } = nextCharge;
  const date = saoPauloDateOf(cycleEndsAt);
  const usage =
    usageCents > 0 &&
    html`<br><span class="facts__more">com ${formatBrl(usageCents)} de uso até agora</span>`;
  return fact(
    'Próxima cobrança',
    html`<time datetime="${date}">${formatDate(date)}</time>, <span class="nowrap">${formatBrl(amountCents)}</span>${usage}`,
  );
}

function endFact({ subscription: { canceledAt, cancelledDueTo, updatedAt } }: LoadedSubscription): Html {
  const date = saoPauloDateOf(canceledAt ?? updatedAt);
  const why = cancelledDueTo === RETRIES_EXCEEDED ? ', por falta de pagamento' : '';
  return fact(
    'Cancelada',
    html`em <time datetime="${date}">${formatDate(date)}</time>${why}. Nada mais é cobrado.`,
  );
}

function fact(label: string, value: string | Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`;
}
