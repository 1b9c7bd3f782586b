import type { CivilDate } from '../../domain/civil-date.ts';
import { decimalOf } from '../../domain/money.ts';
import type { Issue, IssueAnswer } from '../ports/issuing.ts';
import { type AsaasClient, AsaasError } from './asaas-client.ts';
import type { AsaasPayments } from './payments.ts';
import { type AsaasPayment, readPayment, standingOf } from './wire.ts';

/** Asaas truncates nothing: longer descriptions are refused. */
const MAX_DESCRIPTION = 500;

/** What Asaas is asked for beside the fields of every charge. */
export interface AsaasTerms {
  readonly billingType: 'BOLETO' | 'PIX';
  readonly dueDate: CivilDate;
  /** The provider's own fields for late payments. */
  readonly late?: Readonly<Record<string, unknown>>;
}

/** The part of a charge's id after its prefix, by which Asaas is asked for it. */
export function externalReferenceOf(chargeId: string): string {
  return chargeId.slice(-26);
}

/**
 * Issues one payment per charge. Asaas has no idempotency key, so whatever was issued for the charge is looked up
 * before. If an answer was lost and the list lags, a repeat makes a second payment; nobody was shown the first. Every
 * later look at the charge (a repeat, or its end) finds both, and removes the other. If someone paid the other, it is
 * the payment of a charge that was never stored, and is returned.
 */
export async function issueOnce<Issued>(
  client: AsaasClient,
  payments: AsaasPayments,
  request: Issue,
  terms: AsaasTerms,
  codesOf: (payment: AsaasPayment) => Promise<Issued>,
): Promise<IssueAnswer<Issued>> {
  const externalReference = externalReferenceOf(request.chargeId);
  const { name, taxId } = request.payer;
  if (taxId === null)
    return { outcome: 'REFUSED', reason: "customer.taxId: Asaas requires the payer's CPF or CNPJ" };
  const known = await payments.issuedFor(externalReference);
  if (known.length > 0) return answerOf(payments, known, codesOf);
  const customer = await payments.customerOf({ name: name ?? taxId, taxId });
  const body = {
    customer,
    billingType: terms.billingType,
    value: Number(decimalOf(request.amountCents)),
    dueDate: terms.dueDate,
    ...(request.description !== null && { description: request.description.slice(0, MAX_DESCRIPTION) }),
    externalReference,
    ...terms.late,
  };
  try {
    const made = readPayment(await client.send({ method: 'POST', path: '/v3/payments', body }));
    return { outcome: 'ISSUED', issued: await codesOf(made) };
  } catch (error) {
    if (error instanceof AsaasError && error.refusal !== null)
      return { outcome: 'REFUSED', reason: error.refusal };
    throw error;
  }
}

/** A paid one wins, then the first open one; all others that are open are removed. */
async function answerOf<Issued>(
  payments: AsaasPayments,
  known: readonly AsaasPayment[],
  codesOf: (payment: AsaasPayment) => Promise<Issued>,
): Promise<IssueAnswer<Issued>> {
  const paid = known.find((payment) => standingOf(payment) === 'PAID');
  const open = known.filter((payment) => standingOf(payment) === 'OPEN');
  const kept = paid ?? open[0];
  if (kept === undefined) return { outcome: 'DEAD', reason: 'Asaas has removed it' };
  for (const other of open) if (other !== kept) await payments.remove(other);
  const issued = await codesOf(kept);
  const payment = await payments.moneyOf(kept);
  return payment === null ? { outcome: 'ISSUED', issued } : { outcome: 'PAID', issued, payment };
}
