import { beforeEach, describe, expect, it } from '@jest/globals';
import { MAIL_BATCH } from '../../src/mail/mailer.ts';
import { LOOKED_AT } from '../../src/mail/queue/queued-reminders.ts';
import { sendReminders } from '../../src/mail/send-reminders.ts';

const NOON = new Date('2026-12-01T12:00:00-03:00');
const NIGHT = new Date('2026-12-01T23:00:00-03:00');

/** How many are queued, and are not needed, in production and in dev mode. */
let queued: Record<'production' | 'dev', number>;
let needless: Record<'production' | 'dev', number>;
let sent: string[];
beforeEach(() => {
  queued = { production: 0, dev: 0 };
  needless = { production: 0, dev: 0 };
  sent = [];
});

const modeOf = (devMode: boolean) => (devMode ? 'dev' : 'production');
const send = (now: Date) =>
  sendReminders<string>(
    {
      drop: async ({ devMode }) => {
        const dropped = Math.min(LOOKED_AT, needless[modeOf(devMode)]);
        needless[modeOf(devMode)] -= dropped;
        return Array.from({ length: dropped });
      },
      take: async ({ devMode, limit }) => {
        const taken = Math.min(limit, queued[modeOf(devMode)]);
        queued[modeOf(devMode)] -= taken;
        return Array.from({ length: taken }, () => modeOf(devMode));
      },
      send: async (mail) => void sent.push(mail),
    },
    now,
  );

describe('a batch of reminders', () => {
  it('begins with those of production, however many of dev mode wait', async () => {
    queued = { production: 3, dev: 100_000 };
    expect(await send(NOON)).toBe(MAIL_BATCH);
    expect(sent).toEqual([...Array(3).fill('production'), ...Array(MAIL_BATCH - 3).fill('dev')]);
  });

  it('leaves out those of production at night', async () => {
    queued = { production: 3, dev: 2 };
    expect(await send(NIGHT)).toBe(2);
    expect(sent).toEqual(['dev', 'dev']);
  });

  it('asks for another one while there may be more that nobody needs', async () => {
    needless.dev = LOOKED_AT + 1;
    expect([await send(NOON), await send(NOON)]).toEqual([MAIL_BATCH, 0]);
  });
});
