import { expect } from '@jest/globals';
import { receiveNotifications } from '../../support/outside/bare-bank-client.ts';
import { eventually } from '../../support/waiting/eventually.ts';
import { type Examples, paid } from './example.ts';

/** Faults of what the bank sends by itself. */
export const NOTIFICATIONS: Examples<
  'LOSE_WEBHOOKS' | 'REPEAT_WEBHOOKS' | 'REORDER_WEBHOOKS' | 'REPEAT_WEBHOOKS_FOR'
> = {
  LOSE_WEBHOOKS: {
    title: 'sends no notification of the payment, and one of the next',
    async shows({ psp, client }) {
      await using sink = await receiveNotifications(psp);
      psp.faults.order({ fault: { kind: 'LOSE_WEBHOOKS' }, on: 'webhook' });
      await paid({ psp, client });
      await eventually(() => expect(psp.faults.report().happened).toHaveProperty('LOSE_WEBHOOKS webhook'));
      const { endToEndId } = await paid({ psp, client });
      await eventually(() => expect(sink.received).toMatchObject([{ pix: [{ endToEndId }] }]));
    },
  },
  REPEAT_WEBHOOKS: {
    title: 'sends the notification as often as it says',
    async shows({ psp, client }) {
      await using sink = await receiveNotifications(psp);
      psp.faults.order({ fault: { kind: 'REPEAT_WEBHOOKS', copies: 3 }, on: 'webhook' });
      const { endToEndId } = await paid({ psp, client });
      const same = { pix: [{ endToEndId }] };
      await eventually(() => expect(sink.received).toMatchObject([same, same, same]));
    },
  },
  REORDER_WEBHOOKS: {
    title: 'sends the notification after the next one',
    async shows({ psp, client }) {
      await using sink = await receiveNotifications(psp);
      psp.faults.order({ fault: { kind: 'REORDER_WEBHOOKS' }, on: 'webhook' });
      const first = await paid({ psp, client });
      await eventually(() => expect(psp.faults.report().waiting).toEqual([]));
      const second = await paid({ psp, client });
      await eventually(() =>
        expect(sink.received).toMatchObject([
          { pix: [{ endToEndId: second.endToEndId }] },
          { pix: [{ endToEndId: first.endToEndId }] },
        ]),
      );
    },
  },
  REPEAT_WEBHOOKS_FOR: {
    title: 'repeats an accepted notification until the hours have passed',
    async shows({ psp, client }) {
      await using sink = await receiveNotifications(psp);
      const fault = { kind: 'REPEAT_WEBHOOKS_FOR', hours: 2, everySeconds: 1_800 } as const;
      psp.faults.order({ fault, on: 'webhook' });
      await paid({ psp, client });
      const passes = (advanceMs: number) =>
        fetch(`${psp.adminUrl}/clock`, { method: 'POST', body: JSON.stringify({ advanceMs }) });
      await eventually(() => expect(sink.received).toHaveLength(1));
      await passes(1_800_000);
      await eventually(() => expect(sink.received).toHaveLength(2));
      await passes(7_200_000);
      await eventually(() => expect(sink.received).toHaveLength(3));
      await passes(7_200_000);
      await client.askForToken();
      await paid({ psp, client });
      await eventually(() => expect(sink.received).toHaveLength(4));
      expect(sink.received[3]).not.toEqual(sink.received[2]);
    },
  },
};
