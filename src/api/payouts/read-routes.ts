import type { z } from 'zod';
import { type Payout, PayoutEntity } from '../../database/entities/payout.ts';
import type { PayoutKind } from '../../domain/payout.ts';
import { presentPage } from '../frame/pagination.ts';
import { listRoute, route } from '../frame/route.ts';
import { payoutFilter, requirePayout } from './queries.ts';
import { payoutFilters, payoutQuery } from './schema.ts';

/** The differences between payouts and transfers. */
interface SentMoney<View extends z.ZodType> {
  readonly path: '/payouts' | '/pix';
  readonly kind: PayoutKind;
  readonly view: View;
  readonly example: z.output<View>;
  readonly present: (payout: Payout, publicUrl: string) => z.output<View>;
}

/** Routes that return one or many payouts or transfers. */
export function readRoutes<View extends z.ZodType>({ path, kind, view, example, present }: SentMoney<View>) {
  const name = kind === 'PAYOUT' ? 'payout' : 'transfer';
  return [
    route({
      method: 'GET',
      path: `${path}/get`,
      summary: `Get a ${name}`,
      description: 'By exactly one of `externalId` and `id`.',
      permission: 'WITHDRAW:READ',
      query: payoutQuery,
      response: view,
      errors: ['NOT_FOUND'],
      example: { response: example },
      handler: async ({ em, key, query, deps }) =>
        present(await requirePayout(em, key, kind, query), deps.publicUrl),
    }),
    listRoute({
      path: `${path}/list`,
      summary: `List ${name}s, newest first`,
      permission: 'WITHDRAW:READ',
      query: payoutFilters,
      response: view,
      errors: [],
      example: { response: example },
      handler: (request) =>
        presentPage(request, PayoutEntity, payoutFilter(request.key, kind, request.query), (payout) =>
          present(payout, request.deps.publicUrl),
        ),
    }),
  ] as const;
}
