import { expect, it } from '@jest/globals';
import type { Dispatcher } from 'undici';
import { dispatcherFor } from '../../src/webhooks/endpoint-dispatcher.ts';

const dispatcher = { name: 'public' } as unknown as Dispatcher;
const loopbackDispatcher = { name: 'loopback' } as unknown as Dispatcher;
const local = 'http://localhost:4000/hooks';

it('sends events of dev mode to this machine if that is allowed', () => {
  const delivery = { devMode: true, endpoint: local };
  expect(dispatcherFor({ dispatcher, loopbackDispatcher }, delivery)).toBe(loopbackDispatcher);
  expect(dispatcherFor({ dispatcher, loopbackDispatcher: null }, delivery)).toBe(dispatcher);
});

it('sends events of real money through the public pool only', () => {
  const delivery = { devMode: false, endpoint: local };
  expect(dispatcherFor({ dispatcher, loopbackDispatcher }, delivery)).toBe(dispatcher);
});

it('sends to any other address through the public pool only', () => {
  const delivery = { devMode: true, endpoint: 'https://example.com/hooks' };
  expect(dispatcherFor({ dispatcher, loopbackDispatcher }, delivery)).toBe(dispatcher);
});
