// Opens forms as dialogs over their page. Without this script their buttons are links to the same page with the dialog open.

function showModally(dialog) {
  const opener = document.querySelector(`[data-opens="${dialog.id}"]`);
  dialog.addEventListener('close', () => opener?.focus(), { once: true });
  dialog.showModal();
  // Typing replaces what the first field was filled in with.
  document.activeElement.select?.();
}

document.addEventListener('click', (event) => {
  const opener = event.target.closest('[data-opens]');
  // Ctrl and the like open the link in a new tab.
  if (!opener || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  showModally(document.getElementById(opener.dataset.opens));
});

// The links are buttons to screen readers, and the space bar presses a button.
document.addEventListener('keydown', (event) => {
  if (event.key !== ' ' || !event.target.matches('[data-opens]')) return;
  event.preventDefault();
  event.target.click();
});

// For browsers without `closedby`. A click on the backdrop has the dialog as its target, and is outside of it.
document.addEventListener('click', ({ target, clientX, clientY }) => {
  if (!target.matches('dialog[open]') || 'closedBy' in target) return;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  if (clientX < left || clientX > right || clientY < top || clientY > bottom) target.close();
});

// The server opens the dialog of a link, and of a form that it refused or previewed. Its URL is then the page's own, also for a reload.
for (const dialog of document.querySelectorAll('dialog[open]')) {
  dialog.removeAttribute('open');
  history.replaceState(null, '', dialog.dataset.closed);
  showModally(dialog);
  dialog.querySelector('[aria-invalid], [data-preview]')?.focus();
}
