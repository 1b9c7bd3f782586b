import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { PIX_KEY, startPsp } from '../../scripts/psp/start-psp.ts';

const folder = mkdtempSync(join(tmpdir(), 'recebe-psp-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('keeps the books of a killed test bank and completes refunds in progress', async () => {
  const stateFile = join(folder, 'books.json');
  const killed = await startPsp({ profile: 'efi', stateFile });
  const txid = 'A'.repeat(26);
  killed.bank.putCharge('cob', txid, {
    calendario: { expiracao: 3_600 },
    valor: { original: '10.00' },
    chave: PIX_KEY,
  });
  const { endToEndId } = killed.bank.pay(txid);
  for (const ends of ['DEVOLVIDO', 'NAO_REALIZADO', 'ON_REQUEST'] as const)
    killed.bank.refund(endToEndId, ends.replace('_', ''), '1.00', ends);
  const kept = await fetch(`${killed.adminUrl}/clock`, { method: 'POST', body: '{"advanceMs":1}' });
  expect(kept.ok).toBe(true);
  await killed.close();

  const { bank, close } = await startPsp({ profile: 'efi', stateFile });
  await close();
  expect(bank.findCharge('cob', txid).status).toBe('CONCLUIDA');
  expect(bank.findPayment(endToEndId).refunds.map(({ status }) => status)).toEqual([
    'DEVOLVIDO',
    'NAO_REALIZADO',
    'EM_PROCESSAMENTO',
  ]);
});
