import { type Html, html } from '../frame/html.ts';

/** The bank fills in `blank` boxes; phones hide them. */
type BoxKind = 'amount' | 'wide' | 'blank';

/** One labelled box of the slip. */
export function box(label: string, value: string | Html, ...kinds: readonly BoxKind[]): Html {
  const classes = ['box', ...kinds.map((kind) => `box--${kind}`)].join(' ');
  return html`<div class="${classes}"><dt>${label}</dt><dd>${value}</dd></div>`;
}

/** A row of boxes; the stylesheet has the column widths of each layout. */
export function row(layout: string, boxes: readonly Html[]): Html {
  return html`<dl class="row row--${layout}">${boxes}</dl>`;
}

/** A party with its tax id, which must stay readable however long the name is (Bacen, Circular 3.598/2012). */
export function party(name: string, taxId: string | null): Html {
  // Masked or not, only a CNPJ has a slash.
  return html`<span class="party"><span class="party__name">${name}</span>${
    taxId !== null &&
    html` <span class="party__tax-id">${taxId.includes('/') ? 'CNPJ' : 'CPF'} ${taxId}</span>`
  }</span>`;
}

/** Name and code of the bank, at the top of both parts of a boleto. */
export function slipHeading(bankName: string, bankCode: string, title: string, line: string): Html {
  return html`<div class="slip__head">
<h2 class="slip__title">${title}</h2>
<p class="slip__bank">${bankName}</p>
<p class="slip__bank-code"><span class="visually-hidden">Código do banco: </span>${bankCode}-${bankCheckDigit(bankCode)}</p>
<p class="slip__line">${line}</p>
</div>`;
}

/**
 * Check digit of a bank's clearing code: modulus 11, weights 2, 3, 4 from the right; 10 and 11 are written 0.
 */
function bankCheckDigit(bankCode: string): number {
  const sum = [...bankCode].reverse().reduce((total, digit, index) => total + Number(digit) * (index + 2), 0);
  const digit = 11 - (sum % 11);
  return digit > 9 ? 0 : digit;
}
