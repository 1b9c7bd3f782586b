import { weakWebhookSecrets } from '../../../api/webhooks/weak-secrets.ts';
import type { Visit } from '../frame/visit.ts';

/** Webhooks with a weak secret, for people who can change it; empty for others. */
export async function weakSecretIds(visit: Visit): Promise<ReadonlySet<string>> {
  if (!visit.can('webhook:manage')) return new Set();
  const weak = await weakWebhookSecrets(visit.em, visit.store.id);
  return new Set(weak.map(({ webhookId }) => webhookId));
}
