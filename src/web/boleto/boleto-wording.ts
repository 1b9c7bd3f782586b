import type { CivilDate } from '../../domain/civil-date.ts';
import { lastDayToPayWithoutAdditions } from '../../domain/late-charges.ts';
import { formatBrl } from '../../domain/money.ts';
import { formatTime, say, sayDays } from '../frame/language.ts';
import type { BoletoPageView, BoletoState } from './boleto-view.ts';

/** `2026-11-10` as `10/11/2026`. */
export function formatDate(date: CivilDate): string {
  return date.split('-').reverse().join('/');
}

/** `2026-11-10` as `terça-feira, 10/11/2026`. */
export function formatDateWithWeekday(date: CivilDate): string {
  const weekday = formatTime(new Date(`${date}T00:00:00Z`), { weekday: 'long', timeZone: 'UTC' });
  return `${weekday}, ${formatDate(date)}`;
}

const PERCENT = new Intl.NumberFormat('pt-BR', {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Interest and fine are given in hundredths of a percent: 250 is `2,50%`. */
function formatBasisPoints(basisPoints: number): string {
  return PERCENT.format(basisPoints / 10_000);
}

/** Fine and interest in words, or `null` if paying late costs nothing more. */
export function lateTermsInWords({ terms }: Pick<BoletoPageView, 'terms'>): string | null {
  const fine =
    terms.fine &&
    say('multa de {fine}', {
      fine: terms.fine.type === 'FIXED' ? formatBrl(terms.fine.value) : formatBasisPoints(terms.fine.value),
    });
  const interest =
    terms.interest &&
    say('juros de {rate} ao mês, proporcionais aos dias desde o vencimento', {
      rate: formatBasisPoints(terms.interest.value),
    });
  if (fine && interest) return say('{fine} e {interest}', { fine, interest });
  return fine || interest || null;
}

/** The instructions of the slip, one per line, in the order in which a bank clerk needs them. */
export function slipInstructions(view: BoletoPageView): readonly string[] {
  const lateTerms = lateTermsInWords(view);
  const { due } = view;
  return [
    ...(lateTerms
      ? [`Após ${formatDate(lastDayToPayWithoutAdditions(view.dueDate))}, cobrar ${lateTerms}.`]
      : []),
    ...(due.daysLate > 0
      ? [
          `Para pagamento em ${formatDate(view.today)}: ${formatBrl(due.amountCents)} + multa ${formatBrl(due.fineCents)} + juros ${formatBrl(due.interestCents)} (${sayDays(due.daysLate)} de atraso) = ${formatBrl(due.totalCents)}.`,
        ]
      : []),
    `Não receber após ${formatDate(view.lastDayToPay)}.`,
    'Instruções de responsabilidade do beneficiário.',
  ];
}

/** Why a boleto cannot be paid: a short form, printed in place of the digitable line, and a sentence. */
export interface ClosedWording {
  readonly title: string;
  readonly text: string;
}

/** The text for someone who opens a boleto that cannot be paid. */
export function closedWording(state: Exclude<BoletoState, 'PAYABLE'>, view: BoletoPageView): ClosedWording {
  const store = view.merchantName;
  const askForAnother = say('Para pagar, peça a {store} um novo boleto.', { store });
  switch (state) {
    case 'PAID':
      return {
        title: view.paid ? say('Pago em {date}', { date: formatDate(view.paid.on) }) : say('Pago'),
        text: say('{store} recebeu o pagamento. Não é preciso fazer mais nada.', { store }),
      };
    case 'EXPIRED': {
      const date = formatDate(view.lastDayToPay);
      return {
        title: say('Boleto vencido'),
        text: `${say('O prazo de pagamento terminou em {date}.', { date })} ${askForAnother}`,
      };
    }
    case 'CANCELLED':
      return {
        title: say('Boleto cancelado'),
        text: say('{store} cancelou esta cobrança. Não pague este boleto.', { store }),
      };
    case 'UNDER_DISPUTE':
      return {
        title: say('Pagamento em contestação'),
        text: say('Este boleto foi pago e o pagamento está sendo analisado. Não pague de novo.'),
      };
    case 'REFUNDED':
      return {
        title: say('Pagamento devolvido'),
        text: `${say('O valor pago foi devolvido.')} ${askForAnother}`,
      };
    case 'FAILED':
      return {
        title: say('Boleto não registrado'),
        text: `${say('Não foi possível registrar este boleto.')} ${askForAnother}`,
      };
  }
}
