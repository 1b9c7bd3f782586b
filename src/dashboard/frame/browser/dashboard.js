// Copy buttons, and pages that change while they are looked at; everything works without.

// Copy buttons are hidden in the markup, because without this script they would do nothing.

const COPIED_FOR_MS = 2500;

for (const button of document.querySelectorAll('[data-copy]')) {
  const label = button.textContent;
  let timer;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = button.dataset.done;
    } catch {
      // Without https there is no clipboard: what is selected can be copied by hand.
      getSelection().selectAllChildren(source);
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
    }, COPIED_FOR_MS);
  });
}

/** However much happens. */
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
      // Whoever has opened something, or is typing, goes on with it.
      const isInUse = part.contains(document.activeElement) || part.querySelector('details[open]');
      if (fresh && !isInUse) part.replaceWith(fresh);
    }
  };

  const hear = ({ data, lastEventId }) => {
    after = lastEventId;
    const ids = JSON.parse(data);
    if (about.length > 0 && !about.some((id) => ids.includes(id))) return;
    if (timer === null) timer = setTimeout(refresh, Math.max(0, refreshedAt + REFRESH_EVERY_MS - Date.now()));
  };

  // Browsers keep a handful of connections to one host: tabs that nobody sees have none.
  const listen = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource(`${live.dataset.live}?${new URLSearchParams({ after })}`);
    source.addEventListener('message', hear);
  };
  document.addEventListener('visibilitychange', listen);
  listen();
}
