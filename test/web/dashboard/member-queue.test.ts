import { expect, it } from '@jest/globals';
import type { SessionId, StoreId, UserId } from '../../../src/domain/ids.ts';
import { MemberQueue, WITHOUT_SESSION } from '../../../src/web/dashboard/frame/member-queue.ts';

const person = (id: string, sessionId: string) => ({ id: id as UserId, sessionId: sessionId as SessionId });

it('runs one attempt of a person at a time, and the sessions take turns', async () => {
  const queue = new MemberQueue();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const started: string[] = [];
  const attempt = (session: string) =>
    queue.alone(person('ana', session), async () => {
      started.push(session);
      await gate;
    });
  const attempts = [attempt('stolen'), attempt('stolen'), attempt('stolen'), attempt('own')];
  await queue.alone(person('rui', 'other'), async () => started.push('of another person'));
  expect(started).toEqual(['stolen', 'of another person']);
  open();
  await Promise.all(attempts);
  expect(started).toEqual(['stolen', 'of another person', 'own', 'stolen', 'stolen']);
});

it('compares one password of all members at a time, and the stores take turns', async () => {
  const queue = new MemberQueue();
  const compared: string[] = [];
  let running = 0;
  const compare = (store: string) =>
    queue.compare(store as StoreId, WITHOUT_SESSION, async () => {
      running += 1;
      compared.push(`${store} ${running}`);
      await Promise.resolve();
      running -= 1;
    });
  await Promise.all([compare('busy'), compare('busy'), compare('busy'), compare('quiet')]);
  expect(compared).toEqual(['busy 1', 'quiet 1', 'busy 1', 'busy 1']);
});

it('lets a member wait for one of all whom the store has invited', async () => {
  const queue = new MemberQueue();
  const compared: string[] = [];
  const compare = (part: string) =>
    queue.compare('store_1' as StoreId, part as UserId, async () => void compared.push(part));
  const invited = Array.from({ length: 50 }, () => compare(WITHOUT_SESSION));
  await Promise.all([...invited, compare('rui'), compare('rui'), compare('ana')]);
  expect(compared.slice(0, 5)).toEqual([WITHOUT_SESSION, 'rui', 'ana', WITHOUT_SESSION, 'rui']);
});
