// The form that starts a payment, and its coupon. Both also work without this script.

let isPressing = false;
for (const [event, pressing] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
])
  addEventListener(
    event,
    () => {
      isPressing = pressing;
    },
    true,
  );

/** A message that appears while a button is pressed would move the button away from the finger. */
function afterPress(show) {
  if (isPressing) addEventListener('pointerup', () => setTimeout(show), { once: true });
  else show();
}

/** Only the chosen method's fields count: others are neither sent nor required. */
function startPayForm(form) {
  const chosenMethod = () =>
    (form.querySelector('input[name="method"]:checked') ?? form.querySelector('input[name="method"]'))?.value;
  const follow = () => {
    const method = chosenMethod();
    for (const panel of form.querySelectorAll('[data-panel]'))
      panel.disabled = panel.dataset.panel !== method;
    for (const field of form.querySelectorAll('[data-missing]')) {
      field.required = (field.dataset.neededFor ?? method).split(' ').includes(method);
    }
  };
  form.addEventListener('change', follow);
  form.addEventListener('change', () => showCardTotal(form));
  follow();
  showCardTotal(form);

  // Shows our own messages instead of the browser's: when a field loses focus, and for all fields before the form is sent.
  form.noValidate = true;
  const fields = [...form.querySelectorAll('[data-missing], [data-wrong]')];
  for (const field of fields) {
    field.addEventListener('change', () => afterPress(() => field.value !== '' && check(field)));
    field.addEventListener('input', () => field.hasAttribute('aria-invalid') && check(field));
  }

  // Prevents double submission. The button is disabled after the form's data was collected, because its value is part of the
  // data.
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    const coupon = document.getElementById('coupon');
    if (coupon && coupon.value.trim() !== '') {
      // The payer sees the price with the coupon before they pay it.
      event.preventDefault();
      coupon.form.requestSubmit(coupon.form.querySelector('button'));
      return;
    }
    // A wallet has a card of its own.
    const isWallet = event.submitter?.name === 'wallet';
    const asked = fields.filter((field) => !isWallet || !field.closest('[data-typed-card]'));
    const wrong = asked.filter((field) => !check(field));
    const offline = form.querySelector('[data-offline]');
    if (offline) offline.hidden = navigator.onLine;
    if (wrong.length > 0 || !navigator.onLine) {
      event.preventDefault();
      if (wrong[0]) reveal(wrong[0]);
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
}

/** Shows what the chosen installments cost, on the button too, where the payer pays the card fees. */
function showCardTotal(form) {
  const { total, sentence } = form.querySelector('[name="installments"]')?.selectedOptions[0]?.dataset ?? {};
  if (total === undefined) return;
  for (const [place, text] of [
    ['total', total],
    ['sentence', sentence],
  ]) {
    const shown = form.querySelector(`[data-card-${place}]`);
    if (shown && shown.textContent !== text) shown.textContent = text;
  }
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

/** The check digits of a CPF, or of a CNPJ, which may have letters. */
function isTaxId(text) {
  const bare = text.replace(/[\s./-]/g, '').toUpperCase();
  const isCpf = /^\d{11}$/.test(bare);
  if ((!isCpf && !/^[\dA-Z]{12}\d{2}$/.test(bare)) || /^(.)\1*$/.test(bare)) return false;
  const values = [...bare].map((character) => character.charCodeAt(0) - 48);
  return [2, 1].every((left) => {
    const before = values.slice(0, -left).reverse();
    const sum = before.reduce((total, value, index) => total + value * (2 + (isCpf ? index : index % 8)), 0);
    return values.at(-left) === (sum % 11 < 2 ? 0 : 11 - (sum % 11));
  });
}

const CHECKS = {
  'card-number': (text) => {
    const digits = text.replace(/\D/g, '');
    return digits.length >= 12 && digits.length <= 19 && isLuhn(digits);
  },
  'card-expiry': isExpiry,
  'card-code': (text) => /^\d{3,4}$/.test(text),
  'tax-id': isTaxId,
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

/** Groups characters while the user types, and keeps the caret behind the same one. @param other what is none of them. */
function group(field, format, other = /\D/g) {
  field.addEventListener('input', () => {
    const before = field.value.slice(0, field.selectionStart).replace(other, '').length;
    const isAtEnd = field.selectionStart === field.value.length;
    const text = format(field.value.replace(other, ''));
    if (text === field.value) return;
    field.value = text;
    let caret = text.length;
    if (!isAtEnd) for (caret = 0; text.slice(0, caret).replace(other, '').length < before; ) caret += 1;
    field.setSelectionRange(caret, caret);
  });
}
/** Groups what is typed into the form's fields, and names the card's brand. */
function startFields(form) {
  for (const field of form.querySelectorAll('[data-card-number]')) {
    group(field, (digits) => digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 '));
    const shown = form.querySelector('[data-card-brand]');
    field.addEventListener('input', () => {
      const digits = field.value.replace(/\D/g, '');
      const brand = BRANDS.find(([, beginning]) => beginning.test(digits))?.[0] ?? '';
      if (shown.textContent !== brand) shown.textContent = brand;
      shown.hidden = brand === '';
      // A complete but invalid number is reported before the payer continues.
      if (digits.length === (brand === 'American Express' ? 15 : 16)) check(field);
    });
  }
  for (const field of form.querySelectorAll('[data-card-expiry]')) {
    // Autofill may write a year of four digits, which is kept.
    group(field, (digits) => digits.slice(0, 6).replace(/^(\d{2})(?=\d)/, '$1/'));
  }
  for (const field of form.querySelectorAll('[data-tax-id]')) group(field, formatTaxId, /[^\dA-Za-z]/g);
}

/** `123.456.789-09` or `12.ABC.345/01DE-35`, as far as it is typed. */
function formatTaxId(typed) {
  const bare = typed.slice(0, 14).toUpperCase();
  const parts = /^\d{0,11}$/.test(bare)
    ? [bare.slice(0, 3), bare.slice(3, 6), bare.slice(6, 9), bare.slice(9)]
    : [bare.slice(0, 2), bare.slice(2, 5), bare.slice(5, 8), bare.slice(8, 12), bare.slice(12)];
  const before = parts.length === 4 ? ['', '.', '.', '-'] : ['', '.', '.', '/', '-'];
  return parts.map((part, index) => (part === '' ? '' : before[index] + part)).join('');
}

/** What the payer has typed and chosen, by field. It never leaves this page, and survives a coupon that hides the card's fields. */
const typed = new Map();

function keepTyped() {
  for (const field of document.querySelectorAll('[data-pay-form] :is(input, select)[id]'))
    typed.set(field.id, field.type === 'radio' || field.type === 'checkbox' ? field.checked : field.value);
}

function restoreTyped(root) {
  for (const field of root.querySelectorAll('[data-pay-form] :is(input, select)[id]')) {
    const kept = typed.get(field.id);
    if (kept === undefined) continue;
    if (field.type === 'checkbox') field.checked = kept;
    else if (field.type === 'radio') field.checked = kept || field.checked;
    else if (field.tagName === 'INPUT' || [...field.options].some(({ value }) => value === kept))
      field.value = kept;
  }
}

/** Sends the coupon, and nothing else, and shows the page with its price. */
async function applyCoupon(form, button) {
  const body = new URLSearchParams(new FormData(form));
  body.set(button.name, button.value);
  // `form.action` is its button of that name.
  const response = await fetch(form.getAttribute('action'), { method: 'POST', body });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const shown = new DOMParser().parseFromString(await response.text(), 'text/html');
  const main = shown.querySelector('main');
  if (!main.querySelector('[data-pay-form]')) {
    // The checkout has been paid or has ended.
    location.assign(response.url);
    return;
  }
  keepTyped();
  restoreTyped(main);
  document.querySelector('main').replaceWith(main);
  document.title = shown.title;
  history.replaceState(null, '', response.url);
  startOrder(main);
  start(main);
  document.dispatchEvent(new Event('pay-form-replaced'));
  (
    main.querySelector('#coupon[aria-invalid]') ??
    main.querySelector('[data-coupon-form] :is(button, summary)')
  ).focus();
}

function startCoupon(form) {
  form.querySelector('[data-reloads]')?.remove();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.dataset.sent) return;
    form.dataset.sent = 'true';
    const failed = form.querySelector('[data-coupon-failed]');
    failed.hidden = true;
    try {
      await applyCoupon(form, event.submitter ?? form.querySelector('button'));
    } catch {
      failed.hidden = false;
    }
    delete form.dataset.sent;
  });
}

/** Opens what hides a field, and focuses it. */
function reveal(field) {
  const fold = field.closest('.payer--folds')?.querySelector('.payer__fold');
  if (fold) fold.checked = true;
  const details = field.closest('details');
  if (details) details.open = true;
  field.focus();
}

/** Starts the forms in this part of the page. */
function start(root) {
  for (const form of root.querySelectorAll('[data-pay-form]')) {
    startPayForm(form);
    startFields(form);
  }
  for (const form of root.querySelectorAll('[data-coupon-form]')) startCoupon(form);
}

start(document);
document.querySelector('[aria-invalid="true"]')?.focus();
// The browser may restore the page as it was left (back/forward cache).
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
