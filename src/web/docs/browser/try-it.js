// Sends the example of an operation to the service that shows this page, with a key of a dev environment if it needs one.

const STORED_KEY = 'recebe-docs-key';
const TIMEOUT_MS = 60_000;

/** The prefixes of charges: the same operations take all of them. */
const CHARGES = ['pix_char', 'bole'];

const words = document.querySelector('[data-try-words]').dataset;
const forms = [...document.querySelectorAll('[data-try]')];

/** Secret and public keys are kept apart: an operation takes one of the two. */
const placeOf = ({ dataset }) => `${STORED_KEY}-${dataset.prefix}`;

/** The key stays in this tab; a browser that stores nothing keeps it for this page. */
function storedKey(field) {
  try {
    return sessionStorage.getItem(placeOf(field)) ?? '';
  } catch {
    return '';
  }
}

function keepKey(field, key) {
  for (const { elements } of forms)
    if (elements.key?.dataset.prefix === field.dataset.prefix) elements.key.value = key;
  try {
    sessionStorage.setItem(placeOf(field), key);
  } catch {
    // It holds for this page.
  }
}

/** Why a key is not used, or null. */
function refusalOf(field, key) {
  if (key === '') return words.noKey;
  if (/^(?:abc|pk)_prod_/.test(key)) return words.productionKey;
  if (key.startsWith(field.dataset.prefix)) return null;
  return field.dataset.prefix === 'pk_dev_' ? words.wrongPublicKey : words.wrongKey;
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

function codeOf(text, label) {
  const pre = element('pre', '', { tabindex: '0', role: 'region', 'aria-label': label });
  pre.append(element('code', text));
  return pre;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The wrong fields by name, as a list, and marked in the form. */
function showIssues(form, issues) {
  const list = element('ul', '', { class: 'try__issues', 'aria-label': words.wrongFields });
  for (const { path, message } of issues) {
    const item = element('li', '');
    item.append(element('code', path), ` ${message}`);
    list.append(item);
    const field = form.elements[`query.${path}`] ?? form.elements.body;
    field?.setAttribute('aria-invalid', 'true');
  }
  return list;
}

/** The next operations of the page begin with the object that this one returned. */
function useId(id, sent) {
  if (typeof id !== 'string') return;
  const prefix = id.slice(0, id.lastIndexOf('_'));
  const prefixes = CHARGES.includes(prefix) ? CHARGES.join('|') : prefix;
  const example = new RegExp(`\\b(?:${prefixes})_[0-9A-HJKMNP-TV-Z]{26}\\b`, 'g');
  for (const form of forms) {
    if (form === sent) continue;
    for (const field of form.elements)
      if (field.name.startsWith('query.') || field.name === 'body')
        field.value = field.value.replace(example, id);
  }
}

function requestOf(form) {
  const { method, path } = form.dataset;
  const url = new URL(path, location.origin);
  for (const field of form.elements)
    if (field.name.startsWith('query.') && field.value !== '')
      url.searchParams.set(field.name.slice('query.'.length), field.value);
  const { key } = form.elements;
  const headers = key ? { Authorization: `Bearer ${key.value}` } : {};
  const body = form.elements.body?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return [url, { method, headers, body, credentials: 'omit', cache: 'no-store', redirect: 'error' }];
}

async function send(form) {
  const status = form.querySelector('[data-status]');
  const answer = form.querySelector('[data-answer]');
  const field = form.elements.key;
  const key = field?.value.trim();
  const refusal = field ? refusalOf(field, key) : null;
  answer.replaceChildren();
  for (const each of form.elements) each.removeAttribute('aria-invalid');
  status.dataset.outcome = 'waiting';
  if (refusal !== null) {
    // A refused key is a secret of another place: it does not stay on the page.
    field.value = '';
    field.focus();
    status.dataset.outcome = 'bad';
    status.textContent = refusal;
    return;
  }
  if (field) keepKey(field, key);
  status.textContent = words.sending;
  const start = performance.now();
  const [url, request] = requestOf(form);
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const json = parsed(text);
    const tookMs = Math.round(performance.now() - start);
    status.dataset.outcome = response.ok ? 'good' : 'bad';
    status.textContent = `${response.status} ${response.statusText} · ${tookMs} ms · ${words.requestId} `;
    status.append(element('code', response.headers.get('X-Request-Id') ?? '–'));
    if (Array.isArray(json?.issues)) answer.append(showIssues(form, json.issues));
    answer.append(codeOf(json === null ? text : JSON.stringify(json, null, 2), words.answer));
    const headers = element('details', '', { class: 'try__headers' });
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    headers.append(element('summary', words.headers), codeOf(lines.join('\n'), words.headers));
    answer.append(headers);
    if (response.ok) useId(json?.data?.id, form);
  } catch {
    status.dataset.outcome = 'bad';
    status.textContent = words.noAnswer;
  }
}

for (const form of forms) {
  const { key } = form.elements;
  if (key) key.value = storedKey(key);
  form.closest('details').hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('[type=submit]');
    // A second click sends nothing while the first request is on its way.
    if (button.disabled) return;
    button.disabled = true;
    await send(form);
    button.disabled = false;
  });
}
