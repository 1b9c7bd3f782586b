// Live updates, forms that grow and groups of checkboxes. Every page works without this script.

/** The refresh interval holds however many events arrive. */
const REFRESH_EVERY_MS = 5000;

const live = document.querySelector('[data-live]');
if (live) {
  const about = live.dataset.liveAbout.split(' ').filter(Boolean);
  let after = live.dataset.liveAfter;
  let source;
  let timer = null;
  let refreshedAt = 0;

  const refresh = async () => {
    refreshedAt = Date.now();
    timer = null;
    const response = await fetch(location.href).catch(() => null);
    if (!response?.ok || response.redirected) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live-part]')) {
      const fresh = page.getElementById(part.id);
      // Someone who has opened a panel or a dialog, or is typing, is not interrupted.
      const isInUse =
        part.contains(document.activeElement) || part.querySelector('details[open], dialog[open]');
      if (fresh && !isInUse) part.replaceWith(fresh);
    }
  };

  const hear = ({ data, lastEventId }) => {
    after = lastEventId;
    const ids = JSON.parse(data);
    if (about.length > 0 && !about.some((id) => ids.includes(id))) return;
    if (timer === null) timer = setTimeout(refresh, Math.max(0, refreshedAt + REFRESH_EVERY_MS - Date.now()));
  };

  // Browsers open only a handful of connections to one host, so hidden tabs have none.
  const listen = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource(`${live.dataset.live}?${new URLSearchParams({ after })}`);
    source.addEventListener('message', hear);
  };
  document.addEventListener('visibilitychange', listen);
  listen();
}

for (const button of document.querySelectorAll('[data-more-lines]')) {
  button.addEventListener('click', () => {
    const extra = button.parentElement.querySelectorAll('.lines__row--extra');
    extra[0]?.classList.remove('lines__row--extra');
    extra[0]?.querySelector('select').focus();
    if (extra.length <= 1) button.remove();
  });
}

// A box that ticks all others of its group, and shows whether all, some or none are ticked.
for (const group of document.querySelectorAll('[data-group]')) {
  const all = group.querySelector('[data-all]');
  if (!all) continue;
  const others = [...group.querySelectorAll('input[type=checkbox]')].filter((box) => box !== all);
  const show = () => {
    const ticked = others.filter((box) => box.checked).length;
    all.checked = ticked === others.length;
    all.indeterminate = ticked > 0 && ticked < others.length;
  };
  group.addEventListener('change', ({ target }) => {
    if (target === all) for (const box of others) box.checked = all.checked;
    show();
  });
  show();
}

// The browser's picker beside a text field of a colour: each shows what the other one has.
for (const picker of document.querySelectorAll('[data-color-of]')) {
  const text = document.getElementById(picker.dataset.colorOf);
  picker.hidden = false;
  picker.addEventListener('input', () => {
    text.value = picker.value;
  });
  text.addEventListener('input', () => {
    const color = text.value.trim().toLowerCase();
    if (/^#[0-9a-f]{6}$/.test(color)) picker.value = color;
  });
}
