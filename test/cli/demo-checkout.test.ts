import { expect, it } from '@jest/globals';
import type { Api } from '../../src/cli/integrator/api.ts';
import { demoCheckout } from '../../src/cli/integrator/demo-checkout.ts';

it('makes a payment link in a new store without a request that fails', async () => {
  const asked: string[] = [];
  const answering = (answer: unknown) => async (path: string) => {
    asked.push(path);
    return answer;
  };
  const api = { get: answering([]), post: answering({ id: 'prod_1', url: 'http://localhost/pay/1' }) };
  expect(await demoCheckout(api as unknown as Api)).toBe('http://localhost/pay/1');
  expect(asked).toEqual(['payment-links/list', 'products/list', 'products/create', 'payment-links/create']);
});
