// Copy and print buttons. They are hidden in the markup, because they do nothing without this script.

const COPIED_FOR_MS = 2500;

/** Pages served without https have no clipboard API; selecting and copying still works there. */
function copyBySelection(text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

for (const button of document.querySelectorAll('[data-copy], [data-copy-of]')) {
  // A button with an icon has its text in a part of its own.
  const shown = button.querySelector('[data-label]') ?? button;
  const label = shown.textContent;
  const status = document.getElementById(button.dataset.copyStatus);
  let timer;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const copied = await copy(
      button.dataset.copy ?? document.getElementById(button.dataset.copyOf).textContent,
    );
    button.toggleAttribute('data-is-copied', copied);
    shown.textContent = copied ? button.dataset.copied : button.dataset.copyFailed;
    if (status) status.textContent = copied ? button.dataset.copyDone : '';
    button.focus();
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.removeAttribute('data-is-copied');
      shown.textContent = label;
      if (status) status.textContent = '';
    }, COPIED_FOR_MS);
  });
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}
