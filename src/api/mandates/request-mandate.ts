import type { Mandate } from '../../database/entities/mandate.ts';
import type { Em } from '../../database/orm.ts';
import {
  type ConsentAnswer,
  type ConsentDeps,
  type ConsentRefusal,
  MOST_CONSENTS_IN_DAY,
  requestConsent,
} from '../../mandates/consent/request-consent.ts';
import type { AppDeps } from '../frame/deps.ts';
import { brokenRule, outOfReach } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireProvider } from '../frame/require-provider.ts';
import { startDeliveries } from '../frame/start-deliveries.ts';
import { notActive, requireActiveSubscription } from '../subscriptions/queries.ts';
import { MANDATE_AMOUNTS } from './pix-automatic.ts';
import type { RequestMandateBody } from './schema.ts';

/** What asking a payer for consent, and ending an authorization, work with in a request. */
export function consentDeps({
  database,
  log,
  publicUrl,
  starter,
  wakeDebit,
}: AppDeps): ConsentDeps & Pick<AppDeps, 'wakeDebit'> {
  return {
    database,
    log,
    publicUrl,
    wakeDebit,
    startDelivery: async (delivery) => startDeliveries({ starter }, [delivery]),
  };
}

/**
 * Asks the payer of a running subscription to authorize debits (contract section 6.10).
 * @throws ApiError 404 if the subscription is not active, 422 if the payer cannot be asked, 503 if the bank does not answer.
 */
export async function requestMandate(request: ApiRequest<unknown, RequestMandateBody>): Promise<Mandate> {
  const { em, key, body, deps, now } = request;
  const subscription = await requireActiveSubscription(em, key, body.subscriptionId);
  const provider = await requireProvider(request, 'PIX', null);
  const kind = body.pixAutomatic === undefined ? null : MANDATE_AMOUNTS[body.pixAutomatic];
  const alsoIn = (tx: Em) => request.recordAction(tx, subscription.id);
  const asked = { kind, now, isMailed: true, alsoIn };
  return mandateOf(await requestConsent(consentDeps(deps), provider, subscription, asked));
}

function mandateOf(answer: ConsentAnswer): Mandate {
  if (answer.outcome === 'PENDING')
    throw outOfReach('The bank has not answered. Send the same request again.');
  if (answer.outcome !== 'REFUSED') return answer.mandate;
  if (answer.refusal === 'NOT_ACTIVE') throw notActive();
  throw brokenRule('MANDATE_NOT_POSSIBLE', 'subscriptionId', WHY[answer.refusal]);
}

const WHY: Readonly<Record<Exclude<ConsentRefusal, 'NOT_ACTIVE'>, string>> = {
  NO_DEBITS: 'is of a store whose bank does not ask payers to authorize debits without a payment',
  NOT_A_COMPANY: 'is of a store without a CNPJ: Bacen lets companies alone receive debits',
  NO_PAYER:
    'must be of a payer whose name and CPF or CNPJ are known: update the customer of the subscription',
  TOO_MANY: `was asked about ${MOST_CONSENTS_IN_DAY} times within a day: wait, or answer the request that waits`,
  REFUSED_BY_BANK: 'cannot be debited: the bank refuses the authorization',
};
