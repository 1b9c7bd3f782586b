import { afterAll, afterEach, beforeAll, it } from '@jest/globals';
import type { FaultKind } from '../../../scripts/psp/faults/kinds.ts';
import { PIX_KEY, type Psp, startPsp } from '../../../scripts/psp/start-psp.ts';
import { BareBankClient } from '../../support/outside/bare-bank-client.ts';

/** What shows that the bank does what a fault says. */
export interface Example {
  readonly title: string;
  readonly shows: (at: { readonly psp: Psp; readonly client: BareBankClient }) => Promise<void>;
}
export type Examples<Kind extends FaultKind> = Readonly<Record<Kind, Example>>;

/** One bank for all examples of a file. */
export function showExamples(examples: Readonly<Record<string, Example>>): void {
  let psp: Psp;
  let client: BareBankClient;
  beforeAll(async () => {
    psp = await startPsp({ profile: 'efi' });
    client = new BareBankClient(psp);
  });
  afterEach(() => psp.faults.clear());
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await psp.close();
  });
  for (const [kind, { title, shows }] of Object.entries(examples))
    it(`${kind} ${title}`, () => shows({ psp, client }));
}

let issued = 0;
/** A txid that no other example has. */
export function newTxid(): string {
  issued += 1;
  return `example${String(issued).padStart(19, '0')}`;
}

/** A charge that a payer has paid. */
export async function paid({ psp, client }: { psp: Psp; client: BareBankClient }) {
  const txid = newTxid();
  await client.issue(txid);
  return psp.bank.pay(txid);
}

export const PIX_SENT = {
  valor: '7.00',
  pagador: { chave: PIX_KEY },
  favorecido: { chave: 'ana@example.com' },
};
