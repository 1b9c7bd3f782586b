import { type BoletoRefusal, boletoRefusals, dueDateRefusals } from '../../charges/boleto-limits.ts';
import { type ChargeOrder, newCharge } from '../../charges/new-charge.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { addBusinessDays } from '../../domain/business-days.ts';
import type { PaymentMethod } from '../../domain/charge.ts';
import { DEFAULT_BUSINESS_DAYS } from '../../domain/charge-deadlines.ts';
import { type CivilDate, civilDate, saoPauloDateOf } from '../../domain/civil-date.ts';
import type { Payer } from '../../domain/payer.ts';
import { BOLETOS_OF_ANY_KIND } from '../../providers/ports/boletos.ts';
import { type PaymentProvider, withPort } from '../../providers/provider.ts';
import { brokenRule } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { type ChosenCard, cardTermsOf, chosenCard } from './chosen-card.ts';
import type { BoletoData, CreateBody, PixData } from './schema.ts';

type Bodies = { readonly [Name in PaymentMethod]: Extract<CreateBody, { readonly method: Name }> };

/** A request for a charge of one of these methods. */
type Requested<Name extends PaymentMethod> = {
  readonly [Each in Name]: { readonly method: Each; readonly data: Bodies[Each]['data'] };
}[Name];

/** What a charge says apart from its method. */
export type RequestedOrder = Omit<ChargeOrder<PaymentMethod>, 'method' | 'terms'>;

/** What differs between requests for charges of the methods. */
interface RequestedMethod<Data> {
  /** Refuses what the provider does not offer, before anything is stored or issued. @throws ApiError 422 */
  refuse(data: Data, provider: PaymentProvider): void;
  /** The values for which the provider would issue no charge. */
  refusals(data: Data, provider: PaymentProvider, now: Date): readonly BoletoRefusal[];
  /** The card that the request names; null without one. */
  card(
    request: ApiRequest,
    data: Data,
    payer: Payer,
    provider: PaymentProvider,
  ): Promise<ChosenCard | null> | null;
  issue(order: RequestedOrder, data: Data, card: ChosenCard | null): Promise<Charge>;
}

const REQUESTED: { readonly [Name in PaymentMethod]: RequestedMethod<Bodies[Name]['data']> } = {
  PIX: {
    refuse(data, provider) {
      refuseTooLong(data, provider);
      refuseDueDate(data, provider);
    },
    refusals: ({ dueDate }, _provider, now) =>
      dueDate === null ? [] : dueDateRefusals(BOLETOS_OF_ANY_KIND, { dueDate: civilDate(dueDate), now }),
    card: () => null,
    issue: (order, data) =>
      newCharge({
        ...order,
        method: 'PIX',
        payer: { ...order.payer, address: data.customer?.address ?? null },
        terms: pixTermsIn(data),
      }),
  },
  BOLETO: {
    refuse() {},
    refusals(data, { boletos }, now) {
      if (boletos === undefined) return [];
      const { amount, interest, fine, customer } = data;
      const payer = { email: customer.email, address: customer.address ?? null };
      const wanted = { amountCents: amount, dueDate: dueDateOf(data, now), interest, fine, now, payer };
      return boletoRefusals(boletos, wanted);
    },
    card: () => null,
    issue: (order, data) =>
      newCharge({
        ...order,
        method: 'BOLETO',
        payer: { ...order.payer, address: data.customer.address ?? null },
        terms: { dueDate: dueDateOf(data, order.now), interest: data.interest, fine: data.fine },
      }),
  },
  CARD: {
    refuse() {},
    refusals: () => [],
    card: (request, data, payer, provider) => chosenCard(request, data, payer, withPort(provider, 'cards')),
    issue(order, { installments }, card) {
      if (card === null) throw new Error('a card charge has no card');
      return newCharge({ ...order, method: 'CARD', terms: cardTermsOf(card, installments) });
    },
  },
};

/** Refuses what the provider does not offer, before anything is stored or issued. @throws ApiError 422 */
export function refuseNotOffered<Name extends PaymentMethod>(
  { method, data }: Requested<Name>,
  provider: PaymentProvider,
): void {
  REQUESTED[method].refuse(data, provider);
}

/** The values for which the provider would issue no charge. */
export function requestedRefusals<Name extends PaymentMethod>(
  { method, data }: Requested<Name>,
  provider: PaymentProvider,
  now: Date,
): readonly BoletoRefusal[] {
  return REQUESTED[method].refusals(data, provider, now);
}

/** The card that a request names; null without one. @throws ApiError as {@link chosenCard} */
export async function requestedCard<Name extends PaymentMethod>(
  request: ApiRequest,
  { method, data }: Requested<Name>,
  payer: Payer,
  provider: PaymentProvider,
): Promise<ChosenCard | null> {
  return REQUESTED[method].card(request, data, payer, provider);
}

/** Makes the provider issue the charge that a request asks for. */
export function issueRequested<Name extends PaymentMethod>(
  order: RequestedOrder,
  { method, data }: Requested<Name>,
  card: ChosenCard | null,
): Promise<Charge> {
  return REQUESTED[method].issue(order, data, card);
}

/** The charge would stay open here although its code is no longer payable. */
function refuseTooLong({ expiresIn }: PixData, provider: PaymentProvider): void {
  const most = provider.pix?.maxExpirySeconds ?? 0;
  if (expiresIn === null || expiresIn <= most) return;
  throw brokenRule('EXPIRY_TOO_LONG', 'data.expiresIn', `must be at most ${most} seconds at this provider`);
}

function refuseDueDate({ dueDate }: PixData, provider: PaymentProvider): void {
  if (dueDate === null || provider.pix?.issueDue !== undefined) return;
  const message =
    'is not possible: the provider of PIX of this store has no PIX charges with a due date; use BOLETO or expiresIn';
  throw brokenRule('DUE_DATE_NOT_POSSIBLE', 'data.dueDate', message);
}

function pixTermsIn({ dueDate, interest, fine, expiresIn }: PixData) {
  if (dueDate !== null) return { dueDate: civilDate(dueDate), interest, fine };
  if (expiresIn === null) throw new Error('a PIX charge has neither an expiry nor a due date');
  return { expiresInSeconds: expiresIn };
}

/** The due date that a request asks for (contract section 4.5). */
function dueDateOf({ dueDate }: Pick<BoletoData, 'dueDate'>, now: Date): CivilDate {
  return dueDate ? civilDate(dueDate) : addBusinessDays(saoPauloDateOf(now), DEFAULT_BUSINESS_DAYS);
}
