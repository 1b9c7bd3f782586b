import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { saoPauloDateOf } from '../../../src/domain/civil-date.ts';
import { startAdmin } from '../../psp/asaas/admin.ts';
import { API_KEY, AsaasBox } from '../../psp/asaas/asaas-box.ts';
import { type Exchange, startRelay } from '../relay.ts';
import type { Verdict } from '../verdict.ts';
import { explained } from './explained-differences.ts';
import {
  adapterAt,
  CARD_RETURN_URL,
  dueDateOf,
  issueBoleto,
  openCard,
  ourRequests,
  WEBHOOK_URL,
} from './our-case.ts';
import { differencesOf } from './requests-compared.ts';

/** A third-party client. `kinds` is the minimum number of kinds of requests that it shares with the adapter. */
const CLIENTS = [
  { name: 'brbank', script: 'brbank_client.py', kinds: 8 },
  { name: 'asaas', script: 'asaas_client.py', kinds: 23 },
] as const;

/**
 * Runs third-party clients against the box. They read our boleto, the adapter reads theirs, and their requests are compared
 * with the adapter's.
 */
export async function byClients(
  python: string,
  folder: string,
): Promise<readonly (readonly [string, Verdict])[]> {
  const verdicts: [string, Verdict][] = [];
  for (const client of CLIENTS) verdicts.push([client.name, await byClient(client, python, folder)]);
  return verdicts;
}

async function byClient(
  { name, script, kinds }: (typeof CLIENTS)[number],
  python: string,
  folder: string,
): Promise<Verdict> {
  const ours = await withBox(ourRequests);
  return withBox(async (box) => {
    const [relay, admin] = [await startRelay(box.url), await startAdmin(box, 0)];
    const adapter = adapterAt(box.url);
    try {
      const now = new Date();
      const boleto = await issueBoleto(adapter, now);
      const [paidCard, removedCard] = [await openCard(adapter, 3), await openCard(adapter, 3)];
      const atAsaas = [paidCard, removedCard].map(
        (reference) => box.books.live(reference.slice(-26))[0] ?? '',
      );
      // A separate customer, so that the client has to create one.
      box.books.customers.clear();
      const input = {
        api: relay.url,
        admin: admin.url,
        key: API_KEY,
        due: dueDateOf(now),
        day: saoPauloDateOf(now),
        webhook: WEBHOOK_URL,
        ours: boleto.reference,
        returnUrl: CARD_RETURN_URL,
        installments: atAsaas.map((id) => box.books.payment(id)?.installment),
      };
      const { code, output, failed } = await run(python, join(folder, script), input);
      if (code !== 0) return { what: 'did not finish', wrong: [failed.trim().split('\n').at(-1) ?? ''] };
      const { paid, removed } = JSON.parse(output) as { paid: string; removed: string };
      const standings = [
        [paid, 'PAID'],
        [removed, 'CLOSED'],
        [boleto.reference, 'OPEN'],
        ...(name === 'asaas'
          ? ([
              [paidCard, 'PAID'],
              [removedCard, 'CLOSED'],
            ] as const)
          : []),
      ] as const;
      const wrong: string[] = [];
      for (const [id, status] of standings) {
        const found = await adapter.charges.findByReference(id);
        if (found?.status !== status)
          wrong.push(`${id} is ${found?.status} for us, and ${status} for ${name}`);
      }
      return compared(name, kinds, ours, relay.exchanges, wrong);
    } finally {
      await Promise.all([relay.close(), admin.close(), adapter.disconnect()]);
    }
  });
}

function compared(
  name: string,
  kinds: number,
  ours: readonly Exchange[],
  theirs: readonly Exchange[],
  wrong: string[],
): Verdict {
  const { shared, differences } = differencesOf(ours, theirs);
  const named = differences.map((each) => `${name} ${each}`);
  const { unexplained, stale } = explained(name, named);
  wrong.push(...unexplained, ...stale.map((each) => `no difference is explained by ${each} any more`));
  if (shared.length < kinds) wrong.push(`only ${shared.length} kinds are shared: ${shared.join(', ')}`);
  const refused = theirs.filter(({ status }) => status >= 400);
  wrong.push(...refused.map(({ method, path, status }) => `${method} ${path} was answered with ${status}`));
  const equal = `${shared.length} kinds as ours, but for ${named.length - unexplained.length} explained differences`;
  return { what: `${theirs.length} requests, ${equal}`, wrong };
}

async function withBox<Result>(work: (box: AsaasBox) => Promise<Result>): Promise<Result> {
  const box = await new AsaasBox().open();
  try {
    return await work(box);
  } finally {
    await box.close();
  }
}

async function run(python: string, script: string, input: unknown) {
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify(input));
  const [[code], output, failed] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, output, failed };
}
