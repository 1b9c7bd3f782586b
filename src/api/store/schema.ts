import { z } from 'zod';

export const balance = z.object({
  available: z.int().meta({
    description: 'Cents that can be paid out now; below zero where a dispute blocks more than there is.',
  }),
  pending: z.int().meta({ description: 'Cents of payments that have not settled yet, after fees.' }),
  blocked: z.int().meta({ description: 'Cents of payments under dispute.' }),
});
export type Balance = z.output<typeof balance>;

export const storeView = z.object({
  id: z.string(),
  name: z.string(),
  devMode: z.boolean().meta({ description: 'Whose balance it is: the environment of the API key.' }),
  balance,
});
