import { z } from 'zod';
import { StoreEntity } from '../../database/entities/store.ts';
import { PROVIDER_USES } from '../../domain/provider-use.ts';
import { balanceOf } from '../../ledger/balance.ts';
import { accountsOf } from '../../ledger/clearing.ts';
import { balanceView, presentBalance } from '../balance/balance-fields.ts';
import { type Route, route } from '../frame/route.ts';
import { accountView, presentAccount } from './account-view.ts';

const storeView = z
  .object({
    id: z.string(),
    name: z.string(),
    devMode: z.boolean().meta({ description: 'The environment of this balance: the one of the API key.' }),
    balance: balanceView,
    accounts: z.array(accountView).meta({
      description:
        'The accounts that hold the money. A payout cannot exceed the money at its sending account. Our addition.',
    }),
  })
  .meta({ id: 'Store' });

/** The store behind the API key (contract section 3.3). */
export const storeRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/store/get',
    summary: 'The store and its balance',
    description:
      'The current balance of the environment of the API key, from the ledger. PIX payments are available at once, ' +
      'boletos on the next business day, card payments after 30 days.',
    permission: 'STORE:READ',
    response: storeView,
    errors: [],
    example: {
      response: {
        id: 'store_01KAJZX1C3E5G7J9M1P3R5T7VW',
        name: 'Loja Azul',
        devMode: true,
        balance: { available: 24_920, pending: 4_765, blocked: 2_500 },
        accounts: [
          { id: 'sandbox', profile: 'sandbox', serves: [...PROVIDER_USES], held: 32_500, available: 24_920 },
        ],
      },
    },
    async handler({ em, key }) {
      const { id, name } = await em.findOneOrFail(StoreEntity, { id: key.storeId });
      const balance = presentBalance(await balanceOf(em, key));
      const accounts = (await accountsOf(em, key)).map(presentAccount);
      return { id, name, devMode: key.devMode, balance, accounts };
    },
  }),
];
