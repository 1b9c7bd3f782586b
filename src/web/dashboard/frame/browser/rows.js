// Rows that are links. A row's link lies under its texts, so that they can be selected; a click on a text follows the link.

const CONTROLS = 'a, button, input, select, textarea, summary, label, dialog';

function follow(event) {
  const link = event.target.closest('.row--linked')?.querySelector('.row__link');
  if (!link || event.target.closest(CONTROLS) || String(getSelection()) !== '') return;
  const inNewTab = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
  if (inNewTab) window.open(link.href, '_blank', 'noopener');
  else link.click();
}

document.addEventListener('click', follow);
document.addEventListener('auxclick', (event) => {
  if (event.button === 1) follow(event);
});
