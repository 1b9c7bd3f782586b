import { weakWebhookSecrets } from '../../api/webhooks/weak-secrets.ts';
import type { Visit } from '../frame/visit.ts';

/** Webhooks of the store whose secret is weak, for those who can change it; none for others. */
export async function weakSecretIds(visit: Visit): Promise<ReadonlySet<string>> {
  if (!visit.can('webhook:manage')) return new Set();
  const weak = await weakWebhookSecrets(visit.em, visit.store.id);
  return new Set(weak.map(({ webhookId }) => webhookId));
}
