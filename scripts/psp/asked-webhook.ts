import type { Context } from 'koa';
import type { BacenProfile } from '../../src/providers/bacen/profile.ts';
import type { Bank } from './bank.ts';
import { refuseField } from './problem.ts';
import type { BankWebhook } from './state.ts';

/** The webhook that a request registers. @throws Problem if its address is not a URL. */
export function askedWebhook(
  ctx: Context,
  key: string,
  webhookUrl: unknown,
  { bank, profile }: { readonly bank: Bank; readonly profile: BacenProfile },
): BankWebhook {
  const url = String(webhookUrl);
  if (!URL.canParse(url)) refuseField('WebhookOperacaoInvalida', 'webhookUrl', 'A URL não é válida.');
  const header = profile.webhookWithoutCertificateHeader;
  const withoutCertificate = header !== null && ctx.get(header) === 'true';
  return { key, url, createdAt: bank.now().toISOString(), withoutCertificate };
}
