import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MAIL_BATCH, Mailer } from '../../src/mail/mailer.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

/** Nobody listens there. */
const CONFIG = { smtpUrl: 'smtp://127.0.0.1:1', from: 'recebe@example.com' };

let fixture: BareFixture;
beforeAll(async () => {
  fixture = await createBareFixture();
});
afterAll(() => fixture.close());

/** Sends three batches, and then finds no mail. */
class ThreeBatches extends Mailer {
  devMode: boolean = true;
  left = 3;
  running = 0;
  mostAtOnce = 0;

  override async sendDue(): Promise<number> {
    this.running += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.running);
    const mail = {
      subject: 'Lembrete',
      text: 'Vence hoje',
      logoFile: null,
      fromName: 'Loja',
      id: 'reminder',
    };
    const place = { storeId: fixture.storeId, devMode: this.devMode };
    const to = { name: '', address: 'ana@example.com' };
    if (this.left > 0) await this.sendToPayer(place, { ...mail, to }, { attempts: 1 });
    this.running -= 1;
    this.left -= 1;
    return this.left >= 0 ? MAIL_BATCH : 0;
  }
}

function newMailer() {
  const rests: number[] = [];
  const restMs = (tookMs: number) => {
    rests.push(tookMs);
    return 0;
  };
  return {
    rests,
    mailer: new ThreeBatches(fixture.database, 'https://recebe.test', CONFIG, SILENT_LOG, restMs),
  };
}

it('lets batches of dev mode give way to others, and those of production not', async () => {
  const { rests, mailer } = newMailer();
  await mailer.sendForSomeTime(new Date());
  expect(rests).toHaveLength(3);
  mailer.left = 3;
  mailer.devMode = false;
  await mailer.sendForSomeTime(new Date());
  expect(rests).toHaveLength(3);
  await mailer.close();
});

it('sends one batch at a time, however many clocks wait for their mails', async () => {
  const { mailer } = newMailer();
  await Promise.all(Array.from({ length: 5 }, () => mailer.sendForSomeTime(new Date())));
  expect(mailer.mostAtOnce).toBe(1);
  await mailer.close();
});
