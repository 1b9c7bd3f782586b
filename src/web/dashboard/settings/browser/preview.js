// Shows the store's pages with the values being typed. Nothing is stored before the form is saved.

const WAIT_MS = 300;
const form = document.getElementById('store-profile');
let timer;
let running = new AbortController();
let lastColor = form.elements.accentColor.value;

for (const button of document.querySelectorAll('[data-preview-button]')) button.hidden = true;

function typedFields() {
  const fields = new URLSearchParams(new FormData(form));
  const color = fields.get('accentColor').trim();
  // While a colour is being typed, the previews keep the last valid one.
  if (color === '' || /^#[0-9a-f]{6}$/i.test(color)) lastColor = color;
  fields.set('accentColor', lastColor);
  return fields;
}

/** A new frame instead of a new `srcdoc`, which would add a step to the browser's history. */
function showInstead(frame, text) {
  const next = frame.cloneNode();
  const top = frame.contentWindow?.scrollY ?? 0;
  next.removeAttribute('src');
  next.srcdoc = text;
  next.addEventListener('load', () => next.contentWindow.scrollTo(0, top), { once: true });
  frame.replaceWith(next);
}

async function update() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const body = typedFields();
  for (const frame of document.querySelectorAll('[data-preview]')) {
    try {
      const response = await fetch(frame.dataset.preview, {
        method: 'POST',
        body,
        signal,
        redirect: 'error',
      });
      const text = await response.text();
      if (signal.aborted) return;
      if (response.ok) showInstead(frame, text);
    } catch {
      // A newer value, a lost connection or an ended session: the preview stays as it is.
      return;
    }
  }
}

form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(update, WAIT_MS);
});
