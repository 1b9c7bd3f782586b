// The pages of a checkout. They also work without this script.

const MAX_POLL_MS = 30_000;

// Polls the status while the page is visible, and reloads the page when it changes.
const live = document.querySelector('[data-live-status]');
if (live) {
  const pollMs = Number(live.dataset.pollMs);
  const text = live.querySelector('[data-live-text]');
  const waiting = text.textContent;
  let delayMs = pollMs;
  let timer;
  const poll = async () => {
    try {
      const response = await fetch(live.dataset.liveStatus, { headers: { Accept: 'application/json' } });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const { status } = await response.json();
      if (status !== live.dataset.status) {
        text.textContent = live.dataset.changed;
        location.reload();
        return;
      }
      delayMs = pollMs;
      say(waiting);
    } catch {
      if (!navigator.onLine) say(live.dataset.offline);
      delayMs = Math.min(delayMs * 2, MAX_POLL_MS);
    }
    wait();
  };
  // Lets a screen reader announce the change and nothing else.
  const say = (words) => {
    if (text.textContent !== words) text.textContent = words;
  };
  const wait = () => {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(poll, delayMs);
  };
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    // Someone who returns from their bank's app wants to know at once.
    if (!document.hidden) void poll();
  });
  const pollNow = () => {
    clearTimeout(timer);
    void poll();
  };
  addEventListener('offline', () => say(live.dataset.offline));
  addEventListener('online', pollNow);
  addEventListener('deadline', pollNow);
  wait();
}

// The countdown uses the remaining seconds sent by the server, because the payer's clock may be wrong.
for (const countdown of document.querySelectorAll('[data-countdown]')) {
  const endsAtMs = performance.now() + Number(countdown.dataset.countdown) * 1000;
  const text = countdown.querySelector('[role="timer"]');
  let timer;
  const show = () => {
    const seconds = Math.max(0, Math.ceil((endsAtMs - performance.now()) / 1000));
    countdown.hidden = seconds > Number(countdown.dataset.countdownFrom);
    if (seconds === 0) {
      clearInterval(timer);
      // The code must not be paid any more. Ask at once whether it was paid in time.
      for (const over of document.querySelectorAll('[data-until-deadline]')) over.hidden = true;
      for (const said of document.querySelectorAll('[data-after-deadline]')) said.hidden = false;
      dispatchEvent(new Event('deadline'));
    }
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const digits = parts.map((part) => String(part).padStart(2, '0'));
    text.textContent = seconds >= 3600 ? digits.join(':') : digits.slice(1).join(':');
  };
  timer = setInterval(show, 1000);
  show();
}

// A loaded picture must hide the letter behind it even if it is transparent; a broken picture keeps the letter.
for (const picture of document.querySelectorAll('.picture__image')) {
  const settle = () => {
    if (picture.naturalWidth > 0) picture.classList.add('picture__image--loaded');
    else picture.remove();
  };
  if (picture.complete) settle();
  for (const event of ['load', 'error']) picture.addEventListener(event, settle, { once: true });
}

// Only the chosen method's fields count: others are neither sent nor required.
for (const form of document.querySelectorAll('[data-pay-form]')) {
  const chosenMethod = () =>
    (form.querySelector('input[name="method"]:checked') ?? form.querySelector('input[name="method"]'))?.value;
  const follow = () => {
    const method = chosenMethod();
    for (const panel of form.querySelectorAll('[data-panel]'))
      panel.disabled = panel.dataset.panel !== method;
    for (const field of form.querySelectorAll('[data-missing]')) {
      field.required = (field.dataset.neededFor ?? method) === method;
    }
  };
  form.addEventListener('change', follow);
  follow();

  // Shows our own messages instead of the browser's: when a field loses focus, and for all fields before the form is sent.
  form.noValidate = true;
  const fields = [...form.querySelectorAll('[data-missing], [data-wrong]')];
  for (const field of fields) {
    field.addEventListener('change', () => field.value !== '' && check(field));
    field.addEventListener('input', () => field.hasAttribute('aria-invalid') && check(field));
  }

  // Prevents double submission. The button is disabled after the form's data was collected, because its value is part of the
  // data.
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    const wrong = event.submitter?.formNoValidate ? [] : fields.filter((field) => !check(field));
    const offline = form.querySelector('[data-offline]');
    if (offline) offline.hidden = navigator.onLine;
    if (wrong.length > 0 || !navigator.onLine) {
      event.preventDefault();
      wrong[0]?.focus();
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
  // The browser may restore the page as it was left (back/forward cache).
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}

// Enter in the coupon field applies the coupon.
for (const field of document.querySelectorAll('[data-enter]')) {
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    document.getElementById(field.dataset.enter).click();
  });
}

/** The check digit of a card number (ISO/IEC 7812-1, annex B). */
function isLuhn(digits) {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** A card is valid until the end of its month; the payer's clock may be wrong by a day. */
function isExpiry(text) {
  const [, month, year] = /^(\d{2})\/?(\d{2}|\d{4})$/.exec(text) ?? [];
  const end = new Date(2000 + (Number(year) % 100), Number(month), 2);
  return month >= 1 && month <= 12 && end.getTime() > Date.now();
}

const CHECKS = {
  'card-number': (text) => {
    const digits = text.replace(/\D/g, '');
    return digits.length >= 12 && digits.length <= 19 && isLuhn(digits);
  },
  'card-expiry': isExpiry,
  'card-code': (text) => /^\d{3,4}$/.test(text),
  email: (text) => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text),
};

/** Shows or clears the problem under a field. @returns whether the field is valid. */
function check(field) {
  const text = field.value.trim();
  const { missing, wrong, check: kind } = field.dataset;
  const isWrong = text !== '' && kind !== undefined && !CHECKS[kind](text);
  const message = field.matches(':disabled')
    ? ''
    : text === '' && field.required
      ? missing
      : isWrong
        ? wrong
        : '';
  const id = `${field.id}-problem`;
  let problem = document.getElementById(id);
  if (message && !problem) {
    problem = document.createElement('p');
    problem.className = 'field__problem';
    problem.id = id;
    field.closest('.field').append(problem);
    field.setAttribute('aria-describedby', `${id} ${field.getAttribute('aria-describedby') ?? ''}`.trim());
  }
  if (problem) problem.textContent = message;
  if (message) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
  return !message;
}

/** Brands by the first digits of the number. Elo uses ranges within those of other brands, so it comes first. */
const BRANDS = [
  ['Elo', /^(4011|4312|4389|4514|4576|5041|5066|5067|509|6277|6362|6363|650|6516|6550)/],
  ['Hipercard', /^(3841|6062)/],
  ['American Express', /^3[47]/],
  ['Mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['Visa', /^4/],
];

/** Groups digits while the user types, and keeps the caret behind the same digit. */
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
  const shown = document.querySelector('[data-card-brand]');
  field.addEventListener('input', () => {
    const digits = field.value.replace(/\D/g, '');
    const brand = BRANDS.find(([, beginning]) => beginning.test(digits))?.[0] ?? '';
    if (shown.textContent !== brand) shown.textContent = brand;
    shown.hidden = brand === '';
    // A complete but invalid number is reported before the payer continues.
    if (digits.length === (brand === 'American Express' ? 15 : 16)) check(field);
  });
}
for (const field of document.querySelectorAll('[data-card-expiry]')) {
  // Autofill may write a year of four digits, which is kept.
  group(field, (digits) => digits.slice(0, 6).replace(/^(\d{2})(?=\d)/, '$1/'));
}

// A wide screen has room for every item.
if (matchMedia('(min-width: 60rem)').matches) {
  for (const details of document.querySelectorAll('[data-open-on-desktop]')) details.open = true;
}

// Continues to the store's return page, unless the payer stays.
for (const onward of document.querySelectorAll('[data-continue-seconds]')) {
  const link = onward.querySelector('a');
  const left = onward.querySelector('[data-continue-left]');
  const note = left.closest('[hidden]');
  let seconds = Number(onward.dataset.continueSeconds);
  const timer = setInterval(() => {
    seconds -= 1;
    left.textContent = seconds;
    if (seconds > 0) return;
    clearInterval(timer);
    location.assign(link.href);
  }, 1000);
  note.hidden = false;
  note.querySelector('button').addEventListener('click', () => {
    clearInterval(timer);
    note.hidden = true;
    link.focus();
  });
}

// Focuses the field with a problem.
document.querySelector('[aria-invalid="true"]')?.focus();
