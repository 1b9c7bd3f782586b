import { randomBytes } from 'node:crypto';
import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';
import { sendRequest } from '../../shared/transport.ts';

interface Webhook {
  readonly id: string;
  readonly endpoint: string;
  readonly events: readonly string[];
}

const SECRET_BYTES = 32;
/** The longest text that Recebe searches for. */
const MAX_SEARCH = 200;
const MAX_NAME = 200;

/** Whether Recebe has this trigger's webhook. Its address and events are updated if the trigger has others. */
export async function isRegistered(hook: IHookFunctions): Promise<boolean> {
  const { webhookId, secret } = hook.getWorkflowStaticData('node');
  if (typeof webhookId !== 'string' || typeof secret !== 'string') return false;
  const [webhook] = await listWebhooks(hook, { id: webhookId });
  if (webhook === undefined) return false;
  const endpoint = endpointOf(hook);
  const events = eventsOf(hook);
  const isSame = webhook.endpoint === endpoint && sorted(webhook.events) === sorted(events);
  if (!isSame) await post(hook, 'webhooks/update', { id: webhookId, endpoint, events });
  return true;
}

/** Registers a webhook with a new secret, which the workflow's static data keeps. */
export async function register(hook: IHookFunctions): Promise<boolean> {
  const endpoint = endpointOf(hook);
  await removeOrphans(hook, endpoint);
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  const name = `n8n: ${hook.getWorkflow().name ?? hook.getNode().name}`.slice(0, MAX_NAME);
  const { data } = await post(hook, 'webhooks/create', { name, endpoint, secret, events: eventsOf(hook) });
  Object.assign(hook.getWorkflowStaticData('node'), { webhookId: (data as Webhook).id, secret });
  return true;
}

/** Deletes the webhook. One that somebody has deleted is no error. */
export async function unregister(hook: IHookFunctions): Promise<boolean> {
  const data = hook.getWorkflowStaticData('node');
  if (typeof data.webhookId === 'string') {
    const [webhook] = await listWebhooks(hook, { id: data.webhookId });
    if (webhook !== undefined) await post(hook, 'webhooks/delete', { id: webhook.id });
  }
  delete data.webhookId;
  delete data.secret;
  return true;
}

/** Deletes webhooks at this address whose secret is not known here, such as after an answer that did not arrive. */
async function removeOrphans(hook: IHookFunctions, endpoint: string): Promise<void> {
  const found = await listWebhooks(hook, { search: endpoint.slice(0, MAX_SEARCH) });
  for (const webhook of found.filter((each) => each.endpoint === endpoint))
    await post(hook, 'webhooks/delete', { id: webhook.id });
}

async function listWebhooks(hook: IHookFunctions, query: Record<string, string>): Promise<Webhook[]> {
  const { data } = await sendRequest(hook, { method: 'GET', path: 'webhooks/list', query });
  return data as Webhook[];
}

function post(hook: IHookFunctions, path: string, body: Record<string, unknown>) {
  return sendRequest(hook, { method: 'POST', path, body });
}

/** The address of the trigger, in the form in which Recebe stores it. */
function endpointOf(hook: IHookFunctions): string {
  const url = hook.getNodeWebhookUrl('default');
  if (url === undefined) throw new NodeOperationError(hook.getNode(), 'n8n has no address for this trigger');
  return new URL(url).href;
}

function eventsOf(hook: IHookFunctions): string[] {
  return hook.getNodeParameter('events') as string[];
}

function sorted(events: readonly string[]): string {
  return [...events].sort().join();
}
