import { addDays, saoPauloDateOf } from '../../../src/domain/civil-date.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import type { IssueBoleto } from '../../../src/providers/ports/boletos.ts';
import type { AcceptCard, ChargeCard } from '../../../src/providers/ports/cards.ts';
import { readStripeAccount } from '../../../src/providers/stripe/account.ts';
import { createStripeProvider, type StripeProvider } from '../../../src/providers/stripe/stripe-provider.ts';

export const NOTIFICATION_SECRET = 'path-secret';

/** The adapter of an account whose Stripe is at this address. */
export function adapterAt(
  apiUrl: string,
  { webhookSecret, timeoutMs }: { webhookSecret?: string; timeoutMs?: number } = {},
): StripeProvider {
  const account = readStripeAccount({
    id: 'pacc_judged',
    profile: 'stripe',
    settings: { stripeMode: 'test', publishableKey: 'pk_test_12345', apiUrl },
    secrets: {
      secretKey: 'sk_test_12345',
      notificationSecret: NOTIFICATION_SECRET,
      ...(webhookSecret !== undefined && { webhookSecret }),
    },
  });
  return createStripeProvider(account, timeoutMs === undefined ? {} : { timeoutMs });
}

export function chargeOf(token: string, given: Partial<ChargeCard> = {}): ChargeCard {
  const chargeId = mintId<ChargeId>('cardCharge', new Date());
  return {
    chargeId,
    reference: chargeId,
    token,
    amountCents: 2_590,
    installmentsCount: 1,
    payer: { name: null, taxId: null },
    returnUrl: 'https://pay.example.com/pay/1',
    isOffSession: false,
    keepsCard: false,
    now: new Date(),
    ...given,
  };
}

export function boletoOf(): IssueBoleto {
  const now = new Date();
  return {
    chargeId: mintId<ChargeId>('boletoCharge', now),
    amountCents: 25_000,
    description: null,
    beneficiary: { name: 'Loja Azul', city: 'SAO PAULO', taxId: '11222333000181' },
    payer: {
      name: 'Ana Souza',
      taxId: '52998224725',
      email: 'ana@example.com',
      address: { street: 'Avenida Paulista 1000', city: 'São Paulo', state: 'SP', zipCode: '01310100' },
    },
    now,
    dueDate: addDays(saoPauloDateOf(now), 3),
    interest: null,
    fine: null,
    daysPayableAfterDueDate: 0,
  };
}

export function acceptOf(submissionKey: string, given: Partial<AcceptCard> = {}): AcceptCard {
  return { submissionKey, payer: { name: null, taxId: null }, keepsCard: false, isFree: false, ...given };
}

export async function accepted(
  provider: StripeProvider,
  token: string,
  request: AcceptCard,
): Promise<string | null> {
  const { entry } = provider.cards;
  if (entry.kind !== 'PROVIDER_FIELDS') throw new Error('the adapter takes card numbers');
  return (await entry.accept(token, request))?.token ?? null;
}
