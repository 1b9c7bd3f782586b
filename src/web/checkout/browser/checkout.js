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
      for (const element of document.querySelectorAll('[data-after-deadline]')) element.hidden = false;
      dispatchEvent(new Event('deadline'));
    }
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const digits = parts.map((part) => String(part).padStart(2, '0'));
    text.textContent = seconds >= 3600 ? digits.join(':') : digits.slice(1).join(':');
  };
  timer = setInterval(show, 1000);
  show();
}

/** A loaded picture must hide the letter behind it even if it is transparent; a broken picture keeps the letter. */
function settlePicture(picture) {
  const settle = () => {
    if (picture.naturalWidth > 0) picture.classList.add('picture__image--loaded');
    else picture.remove();
  };
  if (picture.complete) settle();
  for (const event of ['load', 'error']) picture.addEventListener(event, settle, { once: true });
}

/** Starts the order: its pictures, and on a wide screen every item. */
function startOrder(root) {
  for (const picture of root.querySelectorAll('.picture__image')) settlePicture(picture);
  if (!matchMedia('(min-width: 60rem)').matches) return;
  for (const details of root.querySelectorAll('[data-open-on-desktop]')) details.open = true;
}
startOrder(document);

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
