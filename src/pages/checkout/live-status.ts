import type { Charge } from '../../database/entities/charge.ts';
import { type Html, html } from '../frame/html.ts';

/** A payer watches for a PIX or card; a boleto is confirmed a day later, so its page need not ask as often. */
const POLL_MS = 2_000;
const BOLETO_POLL_MS = 5_000;

/** Says what is being waited for; the script asks for the charge's status and loads the page anew when it changes. */
export function renderLiveStatus({ checkoutId, id, status, method }: Charge, text: string): Html {
  const path = `/pay/${checkoutId ?? ''}/${id}/status`;
  const pollMs = method === 'BOLETO' ? BOLETO_POLL_MS : POLL_MS;
  return html`<p class="live" role="status" data-live-status="${path}" data-poll-ms="${pollMs}" data-status="${status}"><span class="live__dot" aria-hidden="true"></span><span data-live-text>${text}</span></p>`;
}

/** A code with its button; without script a tap selects the whole of it. */
export function renderCopyCode(code: string, label: string, kind: 'pix' | 'line'): Html {
  const codeId = `${kind}-code`;
  return html`<div class="copy">
<p class="copy__label" id="${codeId}-label">${label}</p>
<p class="code copy__code copy__code--${kind}" id="${codeId}"><span class="copy__text">${code}</span></p>
<button type="button" class="button" data-copy="${code}" data-copy-status="${codeId}-status" data-copy-done="Código copiado" hidden>Copiar código</button>
<p class="visually-hidden" role="status" id="${codeId}-status"></p>
</div>`;
}
