// Copy buttons. They are hidden in the markup, because without this script they would do nothing.

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
