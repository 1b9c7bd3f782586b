import type { Charge } from '../database/entities/charge.ts';
import type { Em } from '../database/orm.ts';
import { sandboxBarCode } from '../providers/sandbox/sandbox-provider.ts';

/** Gives each boleto the number and bar code that the sandbox bank would have issued. */
export async function withBoletoCodes(em: Em, charges: readonly Charge[]): Promise<Charge[]> {
  const boletos = charges.filter(({ method }) => method === 'BOLETO').length;
  const numbers = await em.execute<{ number: string }[]>(
    `select nextval('sandbox_our_number')::text as number from generate_series(1, :boletos::int)`,
    { boletos } as never,
  );
  const rest = numbers.values();
  return charges.map((charge) => {
    const { method, amountCents, dueDate } = charge;
    if (method !== 'BOLETO' || dueDate === null) return charge;
    const ourNumber = (rest.next().value?.number ?? '').padStart(11, '0');
    return { ...charge, ourNumber, barCode: sandboxBarCode({ amountCents, dueDate }, ourNumber) };
  });
}
