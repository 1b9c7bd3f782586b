// Runs before the page is shown, so that examples appear at once in the language that the reader chose last.
try {
  const program = localStorage.getItem('recebe-docs-program');
  if (program) document.documentElement.dataset.program = program;
} catch {
  // A browser that stores nothing shows curl.
}
