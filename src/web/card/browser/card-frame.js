// The frame of recebe.js on a shop's page. It exchanges what the payer types for a token, and says only that to the page
// around it. Which page that is does not matter: it gets nothing but tokens, which its own key allows.

const form = document.querySelector('[data-public-key]');
const problem = document.querySelector('[data-frame-problem]');
const providerToken = form.querySelector('input[name="cardToken"]');
let asked = null;

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.recebe !== 'tokenize') return;
  asked = data.id;
  problem.hidden = true;
  form.requestSubmit();
});

// With the provider's fields this runs after their script has put its token into the form.
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const id = asked;
  if (id === null) return;
  try {
    const answer = await exchange();
    if (answer.success) say({ recebe: 'token', id, token: answer.data.id });
    else refuse(id, { code: answer.code, message: answer.error, issues: answer.issues });
  } catch {
    refuse(id, { code: 'NETWORK', message: 'Recebe could not be reached' });
  }
});

async function exchange() {
  const response = await fetch('/v2/card-tokens/create', {
    method: 'POST',
    headers: { Authorization: `Bearer ${form.dataset.publicKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(typed()),
  });
  return response.json();
}

function typed() {
  if (providerToken) {
    const { value } = providerToken;
    providerToken.value = '';
    return { providerToken: value };
  }
  const { cardNumber, cardHolder, cardExpiry, cardCvv } = form.elements;
  const values = [cardNumber, cardHolder, cardExpiry, cardCvv].map(({ value }) => value.trim() || ' ');
  const [number, holderName, expiry, cvv] = values;
  return { card: { number, holderName, expiry, cvv } };
}

function refuse(id, error) {
  asked = null;
  problem.hidden = false;
  resized();
  say({ recebe: 'error', id, error });
}

// The provider's script shows what the payer has to correct, and does not submit the form.
const ofProvider = form.querySelector('[data-card-problem]');
if (ofProvider)
  new MutationObserver(() => {
    if (ofProvider.hidden || asked === null) return;
    say({
      recebe: 'error',
      id: asked,
      error: { code: 'CARD_NOT_ACCEPTED', message: ofProvider.textContent },
    });
    asked = null;
  }).observe(ofProvider, { attributes: true, attributeFilter: ['hidden'] });

function say(message) {
  parent.postMessage(message, '*');
}

function resized() {
  say({ recebe: 'height', height: document.documentElement.scrollHeight });
}

new ResizeObserver(resized).observe(document.body);
say({ recebe: 'ready' });
