import { withoutBidiControls } from '../../domain/bidi.ts';
import { type InvoiceLine, type InvoiceLineType, invoiceNumber } from '../../domain/invoice.ts';
import { formatBrl, formatSignedBrl } from '../../domain/money.ts';
import { formatTaxId, maskTaxId } from '../../domain/tax-id.ts';
import type { Locale, MessageKey } from '../../web/i18n/catalogs.ts';
import { dayText } from '../../web/i18n/dates.ts';
import { translate } from '../../web/i18n/translate.ts';
import type { InvoiceDetails } from '../invoice-details.ts';

/** An invoice as text, in the language of its reader. */
export interface InvoiceDocument {
  readonly locale: Locale;
  readonly title: string;
  /** A sentence above everything else in dev mode. */
  readonly notice: string | null;
  /** Labels and what they name, such as the dates. */
  readonly facts: readonly (readonly [string, string])[];
  /** The store and the payer: a heading and its lines. */
  readonly parties: readonly { readonly heading: string; readonly lines: readonly string[] }[];
  readonly heads: readonly [string, string, string, string];
  readonly rows: readonly (readonly [string, string, string, string])[];
  /** Labels and amounts below the table. */
  readonly totals: readonly (readonly [string, string])[];
}

/** What an invoice's reader may see. */
export interface InvoiceReader {
  readonly locale: Locale;
  /** Whether the payer's tax id is shown in full: to the store and to the payer, not to everybody with a link. */
  readonly showsTaxId: boolean;
}

const STATUSES = { OPEN: 'invoice.open', PAID: 'invoice.paid', VOID: 'invoice.void' } as const;

const LINE_NAMES: Readonly<Record<InvoiceLineType, MessageKey>> = {
  product: 'invoice.line.product',
  plan: 'invoice.line.plan',
  add_on: 'invoice.line.addOn',
  proration: 'invoice.line.proration',
  usage: 'invoice.line.usage',
  discount: 'invoice.line.discount',
  credit: 'invoice.line.credit',
  card_fee: 'invoice.line.cardFee',
  fine: 'invoice.line.fine',
  interest: 'invoice.line.interest',
  adjustment: 'invoice.line.adjustment',
};

/** Lines whose description says what they are. */
const SPEAKING: readonly InvoiceLineType[] = ['product', 'plan', 'add_on'];

/** Puts an invoice into words. */
export function invoiceDocument(
  details: InvoiceDetails,
  { locale, showsTaxId }: InvoiceReader,
): InvoiceDocument {
  const { invoice, payer, paidCents, refundedCents } = details;
  const { numberYear, numberInYear, period } = invoice;
  if (numberYear === null || numberInYear === null) throw new Error(`${invoice.id} has no number yet`);
  const say = (key: MessageKey, values?: Readonly<Record<string, string>>) => translate(locale, key, values);
  const day = (instant: Date) => dayText(locale, instant);
  const taxIdOf = (taxId: string | null, isWhole: boolean) =>
    taxId === null ? [] : [say('invoice.taxId', { taxId: isWhole ? formatTaxId(taxId) : maskTaxId(taxId) })];
  const periodText = period && {
    from: day(new Date(period.startsAt)),
    until: day(new Date(period.endsAt)),
  };
  return {
    locale,
    title: say('invoice.title', { number: invoiceNumber(numberYear, numberInYear) }),
    notice: invoice.devMode ? say('invoice.testEnvironment') : null,
    facts: [
      [say('invoice.status'), say(STATUSES[invoice.status])],
      [say('invoice.issuedOn'), day(invoice.createdAt)],
      ...(invoice.paidAt === null ? [] : [[say('invoice.paidOn'), day(invoice.paidAt)] as const]),
      ...(periodText ? [[say('invoice.period'), say('receipt.to', periodText)] as const] : []),
    ],
    parties: [
      {
        heading: say('invoice.issuer'),
        lines: [invoice.sellerName ?? '', ...taxIdOf(invoice.sellerTaxId, true)].map(withoutBidiControls),
      },
      {
        heading: say('invoice.payer'),
        lines: [payer.name ?? say('payer.notGiven'), ...taxIdOf(payer.taxId, showsTaxId)].map(
          withoutBidiControls,
        ),
      },
    ],
    heads: [
      say('invoice.description'),
      say('invoice.quantity'),
      say('invoice.unitPrice'),
      say('invoice.amount'),
    ],
    rows: invoice.lines.map((line) => rowOf(line, say)),
    totals: [
      [say('invoice.total'), formatBrl(invoice.amountCents)],
      ...(paidCents === null || paidCents === invoice.amountCents
        ? []
        : [[say('invoice.paidAmount'), formatBrl(paidCents)] as const]),
      ...(refundedCents === 0 ? [] : [[say('invoice.refunded'), formatBrl(refundedCents)] as const]),
    ],
  };
}

function rowOf(
  { type, description, quantity, unitPriceCents, amountCents }: InvoiceLine,
  say: (key: MessageKey, values?: Readonly<Record<string, string>>) => string,
): InvoiceDocument['rows'][number] {
  const name = say(LINE_NAMES[type]);
  const text = withoutBidiControls(description ?? name);
  const what = description === null || SPEAKING.includes(type) ? text : `${name}: ${text}`;
  return [
    what,
    quantity === null ? '' : String(quantity),
    unitPriceCents === null ? '' : formatBrl(unitPriceCents),
    amountCents < 0 ? formatSignedBrl(amountCents) : formatBrl(amountCents),
  ];
}
