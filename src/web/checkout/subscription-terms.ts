import type { Store } from '../../database/entities/store.ts';
import type { PaymentMethod } from '../../domain/charge.ts';
import { formatBrl } from '../../domain/money.ts';
import { formatDate } from '../boleto/boleto-wording.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayHtml } from '../frame/language.ts';
import { whenMethod } from './method-picker.ts';
import { storeLink } from './store-identity.ts';
import {
  afterwardsText,
  cyclePriceText,
  type SubscriptionPlan,
  sameDayText,
  trialText,
} from './subscription-plan.ts';

interface SubscriptionTerms {
  readonly plan: SubscriptionPlan;
  readonly methods: readonly PaymentMethod[];
  readonly dueNowCents: number;
  readonly couponCode: string | null;
  readonly store: Store;
}

/** What is paid today, what is charged later and how, and how to cancel; shown before the button that accepts it. */
export function renderSubscriptionTerms(terms: SubscriptionTerms): Html {
  const { plan, methods, dueNowCents, store } = terms;
  const amount = formatBrl(plan.amountCents);
  return html`<section class="part terms" aria-labelledby="terms-heading">
<h2 class="part__title" id="terms-heading">${say('Como funciona')}</h2>
<ol class="terms__steps">
<li><p class="terms__when">${say('Hoje: {amount}', { amount: formatBrl(dueNowCents) })}</p>
<p>${todayText(terms)}</p></li>
<li><p class="terms__when">${say('Em {date}: {amount}', { date: formatDate(plan.nextChargeOn), amount })}</p>
<p>${say('E depois {when}.', { when: sameDayText(plan) })}</p>
${whenMethod(methods, ['CARD'], 'p', html`${say('A cobrança é feita no cartão, sem que você precise fazer nada. Ele fica guardado como um token no provedor de pagamento, não na loja.')}`)}
${whenMethod(methods, ['PIX'], 'p', html`${say('Um código Pix novo a cada cobrança, no endereço desta página. Nada sai da sua conta sem você pagar.')}`)}</li>
<li><p class="terms__when">${say('Cancele quando quiser')}</p>
<p>${sayHtml('Basta escrever para {store}. Depois de cancelada, nada mais é cobrado.', { store: storeLink(store) })}</p></li>
</ol>
</section>`;
}

function todayText({ plan, dueNowCents, couponCode }: SubscriptionTerms): string {
  const trial = trialText(plan);
  if (trial !== null) return `${trial}, ${afterwardsText(plan)}.`;
  const until = formatDate(plan.nextChargeOn);
  if (couponCode === null) return say('Vale até {date}.', { date: until });
  const values = { date: until, price: cyclePriceText(plan) };
  return dueNowCents === 0
    ? say('O cupom cobre só o primeiro pagamento, até {date}. Depois, {price}.', values)
    : say('O cupom desconta só o primeiro pagamento, até {date}. Depois, {price}.', values);
}
