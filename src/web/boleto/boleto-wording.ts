import type { CivilDate } from '../../domain/civil-date.ts';
import { lastDayToPayWithoutAdditions } from '../../domain/last-day-to-pay.ts';
import { say, sayDay, sayDays } from '../frame/language.ts';
import { dayText } from '../i18n/dates.ts';
import { sayAmount } from '../i18n/money.ts';
import type { BoletoPageView, BoletoState } from './boleto-view.ts';

/** The slip stays in Portuguese on pages in any language. */
export function slipDay(date: CivilDate): string {
  return dayText('pt-BR', date);
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
    say('boleto.aFineOf', {
      fine: terms.fine.type === 'FIXED' ? sayAmount(terms.fine.value) : formatBasisPoints(terms.fine.value),
    });
  const interest =
    terms.interest &&
    say('boleto.interestOfAMonthBy', {
      rate: formatBasisPoints(terms.interest.value),
    });
  if (fine && interest) return say('boleto.and', { fine, interest });
  return fine || interest || null;
}

/** The instructions of the slip, one per line, in the order in which a bank clerk needs them. */
export function slipInstructions(view: BoletoPageView): readonly string[] {
  const lateTerms = lateTermsInWords(view);
  const { due } = view;
  return [
    ...(lateTerms
      ? [`Após ${slipDay(lastDayToPayWithoutAdditions(view.dueDate))}, cobrar ${lateTerms}.`]
      : []),
    ...(due.daysLate > 0
      ? [
          `Para pagamento em ${slipDay(view.today)}: ${sayAmount(due.amountCents)} + multa ${sayAmount(due.fineCents)} + juros ${sayAmount(due.interestCents)} (${sayDays(due.daysLate)} de atraso) = ${sayAmount(due.totalCents)}.`,
        ]
      : []),
    `Não receber após ${slipDay(view.lastDayToPay)}.`,
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
  const askForAnother = say('boleto.toPayAskForA', { store });
  switch (state) {
    case 'PAID':
      return {
        title: view.paid ? say('boleto.paidOn', { date: sayDay(view.paid.on) }) : say('boleto.paid'),
        text: say('boleto.hasReceivedThePayment', { store }),
      };
    case 'EXPIRED': {
      const date = sayDay(view.lastDayToPay);
      return {
        title: say('boleto.theTimeToPayIs'),
        text: `${say('boleto.itCouldBePaidUntil', { date })} ${askForAnother}`,
      };
    }
    case 'CANCELLED':
      return {
        title: say('boleto.boletoCancelled'),
        text: say('boleto.hasCancelledThisCharge', { store }),
      };
    case 'UNDER_DISPUTE':
      return {
        title: say('payer.paymentUnderDispute'),
        text: say('boleto.thisBoletoWasPaidAnd'),
      };
    case 'REFUNDED':
      return {
        title: say('payer.paymentSentBack'),
        text: `${say('boleto.thePaymentWasRefunded')} ${askForAnother}`,
      };
    case 'FAILED':
      return {
        title: say('boleto.boletoNotRegistered'),
        text: `${say('boleto.thisBoletoCouldNotBe')} ${askForAnother}`,
      };
  }
}
