// The payer is back from their bank, in the window that recebe.js has opened on the shop's page. Only says so: whether
// the card was charged, the shop's server asks Recebe.

if (globalThis.parent !== globalThis.self) globalThis.parent.postMessage({ recebe: 'returned' }, '*');
