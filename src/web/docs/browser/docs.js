// Search while someone types, and "/" to start it. Without this script the form opens a page with the results.

const TYPING_MS = 120;

for (const form of document.querySelectorAll('[data-search]')) {
  const input = form.elements.q;
  // On the search page results replace those of the page; elsewhere they open below the field.
  const onPage = form.parentElement.querySelector(':scope > [data-search-results]');
  const list = onPage ?? document.createElement('div');
  if (!onPage) {
    list.className = 'search__results';
    list.hidden = true;
    form.append(list);
  }
  let timer;
  let request;

  const close = () => {
    if (!onPage) list.hidden = true;
  };

  const search = async () => {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    if (input.value.trim() === '') {
      list.replaceChildren();
      close();
      return;
    }
    const query = new URLSearchParams({ q: input.value, lang: form.elements.lang.value, part: 'results' });
    const response = await fetch(`/docs/search?${query}`, { signal }).catch(() => null);
    if (response?.status === 429 && !signal.aborted) {
      // The results so far stay. Further typing asks earlier.
      clearTimeout(timer);
      timer = setTimeout(search, Number(response.headers.get('Retry-After') ?? 1) * 1_000);
    }
    if (!response?.ok) return;
    const text = await response.text().catch(() => null);
    if (text === null || signal.aborted) return;
    const page = new DOMParser().parseFromString(text, 'text/html');
    list.replaceChildren(...page.body.childNodes);
    list.hidden = false;
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, TYPING_MS);
  });
  input.addEventListener('focus', () => {
    if (list.childElementCount > 0) list.hidden = false;
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !form.contains(relatedTarget)) close();
  });
  form.parentElement.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !onPage) {
      close();
      input.focus();
      close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [input, ...list.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement);
    if (step === undefined || at === -1 || list.hidden) return;
    event.preventDefault();
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!form.contains(target)) close();
  });
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input:not([type=radio]), textarea, select, [contenteditable]');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  const input = [...document.querySelectorAll('[data-search] [name=q]')].find((each) =>
    each.checkVisibility(),
  );
  if (!input) return;
  event.preventDefault();
  input.focus();
  input.select();
});

// One choice of a language holds for all examples, and for the next visit.
function choose(program) {
  for (const tabs of document.querySelectorAll('.tabs')) {
    const radios = [...tabs.querySelectorAll('[type=radio]')];
    // An example that does not exist in that language shows its first one.
    (radios.find(({ value }) => value === program) ?? radios[0]).checked = true;
  }
  document.documentElement.dataset.program = program;
}

if (document.documentElement.dataset.program) choose(document.documentElement.dataset.program);

document.addEventListener('change', ({ target }) => {
  if (!target.closest('.tabs__choice')) return;
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  // Examples above have another height now; the one that was clicked stays where it is.
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem('recebe-docs-program', target.value);
  } catch {
    // The choice holds for this page.
  }
});

// The current page of a long list is in sight; the page itself does not scroll.
const list = document.querySelector('.nav');
const current = list?.querySelector('[aria-current]');
if (current && list.scrollHeight > list.clientHeight) {
  const below = current.getBoundingClientRect().bottom - list.getBoundingClientRect().top;
  if (below > list.clientHeight) list.scrollTop = below - list.clientHeight / 2;
}
