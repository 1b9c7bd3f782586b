import type { CloseAnswer, ProviderCharge } from './ports/charges.ts';
import type { ProviderInstruction } from './ports/mandates.ts';
import type { ProviderPayment } from './ports/payment.ts';
import { type PaymentProvider, portOf } from './provider.ts';

/**
 * A provider whose charges are debit instructions: what looks up, closes and refunds a charge does the same with a debit under a
 * mandate, whose payment is an ordinary one.
 * @param now the store's time.
 */
export function debiting(provider: PaymentProvider, now: Date): PaymentProvider {
  const mandates = portOf(provider, 'mandates');
  const paymentsOf = (instruction: ProviderInstruction) => paymentsOfDebit(provider, instruction);
  const charges = changed(provider.charges, {
    async findByReference(reference): Promise<ProviderCharge | null> {
      const instruction = await mandates.findInstruction(reference, now);
      if (instruction === null) return null;
      return { status: statusOf(instruction), payments: await paymentsOf(instruction) };
    },
    async close(reference): Promise<CloseAnswer> {
      const answer = await mandates.cancelInstruction(reference, now);
      if (answer.outcome === 'PENDING') return answer;
      if (answer.outcome === 'CANCELLED') return { outcome: 'CLOSED' };
      const instruction =
        answer.outcome === 'ENDED' ? answer.instruction : await mandates.findInstruction(reference, now);
      const [payment] = instruction === null ? [] : await paymentsOf(instruction);
      // The payer's bank may still debit. A payment of a closed charge is returned, whenever it comes.
      return payment === undefined ? { outcome: 'CLOSED' } : { outcome: 'PAID', payment };
    },
  });
  return changed(provider, { charges });
}

/** The same object with other members. A copy would lose what its class or its own wrapper computes. */
function changed<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get: (_, name) => (name in members ? members[name as keyof Target] : Reflect.get(target, name, target)),
  });
}

/** The payments of a debit, as the provider knows them. */
export async function paymentsOfDebit(
  { charges }: PaymentProvider,
  { providerPaymentIds }: ProviderInstruction,
): Promise<ProviderPayment[]> {
  const found = await Promise.all(providerPaymentIds.map((id) => charges.findPayment(id)));
  return found.filter((payment) => payment !== null);
}

function statusOf({ status }: ProviderInstruction): ProviderCharge['status'] {
  if (status === 'PAID') return 'PAID';
  return ['EXPIRED', 'REJECTED', 'CANCELLED'].includes(status) ? 'CLOSED' : 'OPEN';
}
