import type { CivilDate } from '../../domain/civil-date.ts';
import { lastDayToPayWithoutAdditions } from '../../domain/late-charges.ts';
import { formatBrl } from '../../domain/money.ts';
import type { BoletoPageView, BoletoState } from './boleto-view.ts';

/** `2026-11-10` as `10/11/2026`. */
export function formatDate(date: CivilDate): string {
  return date.split('-').reverse().join('/');
}

const WEEKDAY = new Intl.DateTimeFormat('pt-BR', { weekday: 'long', timeZone: 'UTC' });

/** `2026-11-10` as `terça-feira, 10/11/2026`. */
export function formatDateWithWeekday(date: CivilDate): string {
  return `${WEEKDAY.format(new Date(`${date}T00:00:00Z`))}, ${formatDate(date)}`;
}

const PERCENT = new Intl.NumberFormat('pt-BR', {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Hundredths of a percent, as interest and fine are given: 250 is `2,50%`. */
function formatBasisPoints(basisPoints: number): string {
  return PERCENT.format(basisPoints / 10_000);
}

/** `1 dia`, `12 dias`. */
export function formatDays(days: number): string {
  return days === 1 ? '1 dia' : `${days} dias`;
}

/** Fine and interest in words, or `null` when paying late costs nothing more. */
export function lateTermsInWords({ terms }: Pick<BoletoPageView, 'terms'>): string | null {
  const fine =
    terms.fine &&
    (terms.fine.type === 'FIXED'
      ? `multa de ${formatBrl(terms.fine.value)}`
      : `multa de ${formatBasisPoints(terms.fine.value)}`);
  const interest =
    terms.interest &&
    `juros de ${formatBasisPoints(terms.interest.value)} ao mês, proporcionais aos dias desde o vencimento`;
  if (!fine && !interest) return null;
  return [fine, interest].filter(Boolean).join(' e ');
}

/** The instructions of the slip, one per line, in the order a teller needs them. */
export function slipInstructions(view: BoletoPageView): readonly string[] {
  const lateTerms = lateTermsInWords(view);
  const { due } = view;
  return [
    ...(lateTerms
      ? [`Após ${formatDate(lastDayToPayWithoutAdditions(view.dueDate))}, cobrar ${lateTerms}.`]
      : []),
    ...(due.daysLate > 0
      ? [
          `Para pagamento em ${formatDate(view.today)}: ${formatBrl(due.amountCents)} + multa ${formatBrl(due.fineCents)} + juros ${formatBrl(due.interestCents)} (${formatDays(due.daysLate)} de atraso) = ${formatBrl(due.totalCents)}.`,
        ]
      : []),
    `Não receber após ${formatDate(view.lastDayToPay)}.`,
    'Instruções de responsabilidade do beneficiário.',
  ];
}

/**
 * Why a boleto cannot be paid: a few words, also printed where the digitable line would be, and a sentence.
 */
export interface ClosedWording {
  readonly title: string;
  readonly text: string;
}

/** What to tell whoever opens a boleto that cannot be paid, or no longer. */
export function closedWording(state: Exclude<BoletoState, 'PAYABLE'>, view: BoletoPageView): ClosedWording {
  const merchant = view.merchantName;
  const askForAnother = `Para pagar, peça a ${merchant} um novo boleto.`;
  switch (state) {
    case 'PAID':
      return {
        title: view.paid ? `Pago em ${formatDate(view.paid.on)}` : 'Pago',
        text: `${merchant} recebeu o pagamento. Não é preciso fazer mais nada.`,
      };
    case 'EXPIRED':
      return {
        title: 'Boleto vencido',
        text: `O prazo de pagamento terminou em ${formatDate(view.lastDayToPay)}. ${askForAnother}`,
      };
    case 'CANCELLED':
      return {
        title: 'Boleto cancelado',
        text: `${merchant} cancelou esta cobrança. Não pague este boleto.`,
      };
    case 'UNDER_DISPUTE':
      return {
        title: 'Pagamento em contestação',
        text: 'Este boleto foi pago e o pagamento está sendo analisado. Não pague de novo.',
      };
    case 'REFUNDED':
      return {
        title: 'Pagamento devolvido',
        text: `O valor pago foi devolvido. ${askForAnother}`,
      };
    case 'FAILED':
      return {
        title: 'Boleto não registrado',
        text: `Não foi possível registrar este boleto. ${askForAnother}`,
      };
  }
}
