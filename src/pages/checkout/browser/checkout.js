// The pages of a checkout. Each piece only adds: without this script the pages can be used too.

const MAX_POLL_MS = 30_000;

// The status: asked for while the page is looked at; when it changes, the page is loaded anew.
const live = document.querySelector('[data-live-status]');
if (live) {
  const pollMs = Number(live.dataset.pollMs);
  let delayMs = pollMs;
  let timer;
  const poll = async () => {
    try {
      const response = await fetch(live.dataset.liveStatus, { headers: { Accept: 'application/json' } });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const { status } = await response.json();
      if (status !== live.dataset.status) {
        live.querySelector('[data-live-text]').textContent = 'Recebemos uma resposta. Atualizando…';
        location.reload();
        return;
      }
      delayMs = pollMs;
    } catch {
      delayMs = Math.min(delayMs * 2, MAX_POLL_MS);
    }
    wait();
  };
  const wait = () => {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(poll, delayMs);
  };
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    // Whoever comes back from their bank's app wants to know at once.
    if (!document.hidden) void poll();
  });
  wait();
}

// The countdown goes by the seconds that the server said are left, as the payer's clock may be wrong.
for (const countdown of document.querySelectorAll('[data-countdown]')) {
  const endsAtMs = performance.now() + Number(countdown.dataset.countdown) * 1000;
  const text = countdown.querySelector('[role="timer"]');
  const show = () => {
    const seconds = Math.max(0, Math.ceil((endsAtMs - performance.now()) / 1000));
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const digits = parts.map((part) => String(part).padStart(2, '0'));
    text.textContent = seconds >= 3600 ? digits.join(':') : digits.slice(1).join(':');
  };
  show();
  countdown.hidden = false;
  setInterval(show, 1000);
}

// A picture that has loaded covers the letter behind it also where it is transparent; one that does not load leaves it.
for (const picture of document.querySelectorAll('.picture__image')) {
  const settle = () => {
    if (picture.naturalWidth > 0) picture.classList.add('picture__image--loaded');
    else picture.remove();
  };
  if (picture.complete) settle();
  for (const event of ['load', 'error']) picture.addEventListener(event, settle, { once: true });
}

// Only the chosen method's fields count: those of the others are neither sent nor asked for.
for (const form of document.querySelectorAll('[data-pay-form]')) {
  const chosenMethod = () =>
    (form.querySelector('input[name="method"]:checked') ?? form.querySelector('input[name="method"]'))?.value;
  const follow = () => {
    const method = chosenMethod();
    for (const panel of form.querySelectorAll('[data-panel]'))
      panel.disabled = panel.dataset.panel !== method;
    for (const field of form.querySelectorAll('[data-required]')) field.required = true;
    for (const field of form.querySelectorAll('[data-required-for]')) {
      field.required = field.dataset.requiredFor === method;
    }
  };
  form.addEventListener('change', follow);
  follow();

  // One press, one payment. The button is disabled after the form's data was taken, as its own value is part of it.
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = 'true';
    const button = form.querySelector('[data-busy]');
    const isPayment =
      event.submitter === null || event.submitter.value === 'pay' || event.submitter === button;
    setTimeout(() => {
      for (const each of form.querySelectorAll('button')) each.setAttribute('aria-disabled', 'true');
      if (isPayment && button) button.textContent = button.dataset.busy;
    });
  });
  // Back from another page, possibly with the page as it was left.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}

// Enter in the coupon applies it.
for (const field of document.querySelectorAll('[data-enter]')) {
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    document.getElementById(field.dataset.enter).click();
  });
}

/** Groups digits while they are typed, keeping the caret behind the same digit. */
function group(field, format) {
  field.addEventListener('input', () => {
    const before = field.value.slice(0, field.selectionStart).replace(/\D/g, '').length;
    const isAtEnd = field.selectionStart === field.value.length;
    const text = format(field.value.replace(/\D/g, ''));
    if (text === field.value) return;
    field.value = text;
    let caret = text.length;
    if (!isAtEnd) for (caret = 0; text.slice(0, caret).replace(/\D/g, '').length < before; ) caret += 1;
    field.setSelectionRange(caret, caret);
  });
}
for (const field of document.querySelectorAll('[data-card-number]')) {
  group(field, (digits) => digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 '));
}
for (const field of document.querySelectorAll('[data-card-expiry]')) {
  // A year of four digits, as autofill may write it, is left whole.
  group(field, (digits) => digits.slice(0, 6).replace(/^(\d{2})(?=\d)/, '$1/'));
}

// On a wide screen there is room for every item.
if (matchMedia('(min-width: 60rem)').matches) {
  for (const details of document.querySelectorAll('[data-open-on-desktop]')) details.open = true;
}

// A form that came back: to the field that needs a look.
document.querySelector('[aria-invalid="true"]')?.focus();
