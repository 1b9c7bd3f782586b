// Stripe's fields on the payer's page. The card goes from Stripe's frames to Stripe. This form posts only the id of a
// payment method, which the server looks up, and by which it knows the wallet that the payer used.

startAll();
// A coupon replaces the form.
document.addEventListener('pay-form-replaced', startAll);

function startAll() {
  const place = document.querySelector('[data-card-fields]');
  if (place && globalThis.Stripe) start(place, place.closest('form'));
}

function start(place, form) {
  const { publishableKey, amountCents, keepsCard, noWallet } = place.dataset;
  const token = form.querySelector('input[name="cardToken"]');
  const stripe = globalThis.Stripe(publishableKey, { locale: document.documentElement.lang });
  const amount = Number(amountCents);
  const elements = stripe.elements({
    // Nothing is due when a free trial starts.
    ...(amount > 0 ? { mode: 'payment', amount } : { mode: 'setup' }),
    currency: 'brl',
    paymentMethodCreation: 'manual',
    paymentMethodTypes: ['card'],
    ...(keepsCard !== undefined && { setupFutureUsage: 'off_session' }),
  });
  const hasTypedCard = noWallet === undefined;
  if (hasTypedCard) elements.create('payment', { wallets: walletsOf(place) }).mount(place);
  else mountWallets(place, { form, stripe, elements, token });

  let isAsking = false;
  // Runs before the page's own listeners, which send the form.
  form.addEventListener(
    'submit',
    async (event) => {
      if (!paysByCard(form) || token.value !== '') return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!hasTypedCard) return show(place, '');
      if (isAsking) return;
      isAsking = true;
      const { submitter } = event;
      const problem = await enter(stripe, elements, token);
      isAsking = false;
      show(place, problem);
      // A form ignores a submission while it still announces the previous one.
      if (problem === null) setTimeout(() => form.requestSubmit(submitter));
    },
    { capture: true },
  );
}

/** Stripe shows a wallet only if the checkout offers it and the payer's device has it. */
function walletsOf({ dataset: { wallets = '' } }) {
  const shown = (wallet) => (wallets.split(' ').includes(wallet) ? 'auto' : 'never');
  return { applePay: shown('APPLE_PAY'), googlePay: shown('GOOGLE_PAY') };
}

/** Buttons of wallets, without fields for a card. */
function mountWallets(place, { form, stripe, elements, token }) {
  const others = { link: 'never', amazonPay: 'never', klarna: 'never', paypal: 'never' };
  const buttons = elements.create('expressCheckout', { paymentMethods: { ...walletsOf(place), ...others } });
  buttons.on('ready', ({ availablePaymentMethods: available }) => {
    if (!available) show(place, place.dataset.noWallet);
  });
  buttons.on('confirm', async (event) => {
    const problem = await enter(stripe, elements, token);
    show(place, problem);
    if (problem !== null) return event.paymentFailed({ reason: 'fail' });
    const radio = form.querySelector('input[type="radio"][name="method"][value="CARD"]');
    if (radio) radio.checked = true;
    form.requestSubmit();
  });
  buttons.mount(place);
}

function paysByCard(form) {
  const chosen = form.querySelector('input[name="method"]:checked, input[name="method"][type="hidden"]');
  return chosen === null || chosen.value === 'CARD';
}

/** @returns what the payer has to correct, in Stripe's words; null once the token is in the form. */
async function enter(stripe, elements, token) {
  try {
    const checked = await elements.submit();
    if (checked.error) return checked.error.message ?? '';
    const { error, paymentMethod } = await stripe.createPaymentMethod({ elements });
    if (error) return error.message ?? '';
    token.value = paymentMethod.id;
    return null;
  } catch {
    return '';
  }
}

function show(place, problem) {
  const text = place.parentElement.querySelector('[data-card-problem]');
  if (!text) return;
  text.hidden = problem === null;
  text.textContent = problem || text.dataset.cardProblem;
}
