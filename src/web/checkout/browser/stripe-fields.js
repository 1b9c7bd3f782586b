// Stripe's fields on the payer's page. The card goes from Stripe's frames to Stripe. This form posts only the id of a
// payment method, which the server looks up.

const place = document.querySelector('[data-card-fields]');
if (place && globalThis.Stripe) start(place, place.closest('form'));

function start(place, form) {
  const { publishableKey, amountCents, keepsCard } = place.dataset;
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
  elements.create('payment', { wallets: { applePay: 'never', googlePay: 'never' } }).mount(place);

  let isAsking = false;
  // Runs before the page's own listeners, which send the form.
  form.addEventListener(
    'submit',
    async (event) => {
      if (!paysByCard(form) || token.value !== '') return;
      event.preventDefault();
      event.stopImmediatePropagation();
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
