import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { EVENTS } from './generated/events.ts';
import { withNewId } from './recent-ids.ts';
import { isRegistered, register, unregister } from './registration.ts';
import { isGenuine } from './verify-delivery.ts';

/** n8n reads the body of a webhook before it calls the node, and keeps its bytes. */
interface RawRequest {
  readonly rawBody?: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

interface TriggerOptions {
  readonly startForRepeats?: boolean;
  readonly startForSamples?: boolean;
}

const UNAUTHORIZED = 401;

/** Starts a workflow for each event of Recebe. While the workflow is active, Recebe has a webhook for it. */
export class RecebeTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Recebe Trigger',
    name: 'recebeTrigger',
    icon: { light: 'file:../../icons/recebe.svg', dark: 'file:../../icons/recebe.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when something happens in Recebe, such as a payment',
    defaults: { name: 'Recebe Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'recebeApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: [...EVENTS],
        required: true,
        default: [],
        description: 'The events that start the workflow',
      },
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add Option',
        default: {},
        options: [
          {
            displayName: 'Start for Repeats',
            name: 'startForRepeats',
            type: 'boolean',
            default: false,
            description:
              'Whether a delivery that arrives again starts the workflow again, for example after you resend it',
          },
          {
            displayName: 'Start for Samples',
            name: 'startForSamples',
            type: 'boolean',
            default: false,
            description:
              'Whether samples start an active workflow, although nothing has happened. Test executions always receive them.',
          },
        ],
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return isRegistered(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return register(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return unregister(this);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { headers, rawBody }: RawRequest = this.getRequestObject();
    const data = this.getWorkflowStaticData('node');
    const secret = typeof data.secret === 'string' ? data.secret : '';
    if (rawBody === undefined || !isGenuine({ headers, rawBody }, secret, Date.now() / 1_000)) {
      this.getResponseObject().status(UNAUTHORIZED).end();
      return { noWebhookResponse: true };
    }
    const event = JSON.parse(new TextDecoder().decode(rawBody)) as IDataObject & { readonly id: string };
    const { startForRepeats, startForSamples } = this.getNodeParameter('options', {}) as TriggerOptions;
    if (event.sample === true && startForSamples !== true && this.getMode() !== 'manual') return {};
    // n8n stores this after it has started the workflow: if it cannot start it, the next attempt is no repeat.
    const recentIds = withNewId(data.recentIds, event.id);
    if (recentIds !== null) data.recentIds = recentIds;
    else if (startForRepeats !== true) return {};
    return { workflowData: [this.helpers.returnJsonArray(event)] };
  }
}
