// The command palette: results of the search page, as they are typed. Its button and the dialog come from dialogs.js.

/** Long enough for the next key of somebody who types. */
const TYPING_MS = 150;

const palette = document.getElementById('palette');
if (palette) {
  const form = palette.querySelector('form');
  const input = form.elements.q;
  const results = palette.querySelector('[data-palette-results]');
  let shownFor = null;
  let timer;

  const load = async () => {
    const text = input.value.trim();
    const response = await fetch(`${form.action}?${new URLSearchParams({ q: text })}`).catch(() => null);
    // A later key has asked for something else, or the session has ended.
    if (!response?.ok || response.redirected || text !== input.value.trim()) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (text !== input.value.trim()) return;
    results.replaceChildren(...page.getElementById('search-results').childNodes);
    shownFor = text;
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load(), TYPING_MS);
  });

  new MutationObserver(() => {
    if (palette.open && shownFor === null) void load();
  }).observe(palette, { attributeFilter: ['open'] });

  document.addEventListener('keydown', (event) => {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    if (palette.open) palette.close();
    else if (!document.querySelector('dialog[open]'))
      document.querySelector('[data-opens="palette"]').click();
  });

  palette.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [input, ...results.querySelectorAll('a')];
    const next = stops.indexOf(document.activeElement) + step;
    stops[(next + stops.length) % stops.length].focus();
  });

  // A link to a part of the page that is shown loads no other page.
  results.addEventListener('click', () => palette.close());

  // Enter opens the first result of what is typed, once it is shown. Before that the form opens the page of the search.
  form.addEventListener('submit', (event) => {
    const first = results.querySelector('a');
    if (first === null || shownFor !== input.value.trim()) return;
    event.preventDefault();
    first.click();
  });
}
