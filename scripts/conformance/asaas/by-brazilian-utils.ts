import { createRequire } from 'node:module';
import { join } from 'node:path';
import { digitableLine } from '../../../src/domain/boleto.ts';
import { AsaasBox } from '../../psp/asaas/asaas-box.ts';
import type { Verdict } from '../verdict.ts';
import { adapterAt, dueDateOf, issueBoleto } from './our-case.ts';

const BOLETOS = 100;

interface BrazilianUtils {
  isValidBoleto(line: string): boolean;
  isValidPixPayload(code: string): boolean;
  /** The amount in cents. */
  getBoletoInfo(line: string): { readonly amount: number; readonly expirationDate: Date | null } | null;
}

/** The bar codes and PIX codes of boletos, as programs of payers read them. */
export async function byBrazilianUtils(folder: string): Promise<Verdict> {
  const utils = createRequire(join(folder, 'package.json'))(
    '@brazilian-utils/brazilian-utils',
  ) as BrazilianUtils;
  const box = await new AsaasBox().open();
  const adapter = adapterAt(box.url);
  const wrong: string[] = [];
  try {
    for (let nth = 0; nth < BOLETOS; nth += 1) {
      const { barCode, brCode = null } = await issueBoleto(adapter);
      const line = digitableLine(barCode);
      if (!utils.isValidBoleto(line)) wrong.push(`${line} is no valid line of a boleto`);
      if (brCode === null || !utils.isValidPixPayload(brCode)) wrong.push(`${brCode} is no valid PIX code`);
      const info = utils.getBoletoInfo(line);
      if (info?.amount !== 123_45) wrong.push(`${line} names ${info?.amount} cents`);
      const day = info?.expirationDate?.toISOString().slice(0, 10);
      if (day !== dueDateOf(new Date())) wrong.push(`${line} is due on ${day}`);
    }
  } finally {
    await Promise.all([adapter.disconnect(), box.close()]);
  }
  return { what: `${BOLETOS} bar codes and PIX codes`, wrong };
}
