import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { sendRequest } from '../../shared/transport.ts';
import { collectPages } from './collect-pages.ts';
import { chargeProperties } from './descriptions/charge.ts';
import { checkoutProperties } from './descriptions/checkout.ts';
import { customerProperties } from './descriptions/customer.ts';
import { pagingProperties } from './descriptions/paging.ts';
import { payoutProperties } from './descriptions/payout.ts';
import { subscriptionProperties } from './descriptions/subscription.ts';
import { type Cause, idempotencyKeyOf } from './idempotency-key.ts';
import { type OperationRequest, requestOf } from './requests.ts';

/** Sends a request to Recebe for each item. */
export class Recebe implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Recebe',
    name: 'recebe',
    icon: { light: 'file:../../icons/recebe.svg', dark: 'file:../../icons/recebe.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Charge by PIX and boleto, sell by checkouts and payment links, and send payouts',
    defaults: { name: 'Recebe' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'recebeApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Charge', value: 'charge' },
          { name: 'Checkout', value: 'checkout' },
          { name: 'Customer', value: 'customer' },
          { name: 'Payment Link', value: 'paymentLink' },
          { name: 'Payout', value: 'payout' },
          { name: 'Subscription', value: 'subscription' },
        ],
        default: 'charge',
      },
      ...chargeProperties,
      ...checkoutProperties,
      ...customerProperties,
      ...payoutProperties,
      ...subscriptionProperties,
      ...pagingProperties,
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (const itemIndex of this.getInputData().keys()) {
      try {
        const found = await runOperation(this, itemIndex);
        results.push(...found.map((json) => ({ json, pairedItem: { item: itemIndex } })));
      } catch (error) {
        if (!this.continueOnFail()) throw asNodeError(this, error, itemIndex);
        const message = error instanceof Error ? error.message : String(error);
        results.push({ json: { error: message }, pairedItem: { item: itemIndex } });
      }
    }
    return [results];
  }
}

/** Runs the operation for one item. @returns the object, or the objects of a list. */
async function runOperation(functions: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
  const read = (name: string) => functions.getNodeParameter(name, itemIndex);
  const request = requestOf(read('resource') as string, read('operation') as string, read);
  if (request.isList) return readList(functions, itemIndex, request);
  const idempotencyKey = idempotencyKeyOf(causeOf(functions, itemIndex), request);
  const { data } = await sendRequest(functions, request, {
    itemIndex,
    ...(request.method === 'POST' && { idempotencyKey }),
  });
  return [data as IDataObject];
}

async function readList(
  functions: IExecuteFunctions,
  itemIndex: number,
  request: OperationRequest,
): Promise<IDataObject[]> {
  const isAll = functions.getNodeParameter('returnAll', itemIndex) === true;
  const maximum = isAll ? null : (functions.getNodeParameter('limit', itemIndex) as number);
  const found = await collectPages(maximum, (page) =>
    sendRequest(functions, { ...request, query: { ...request.query, ...page } }, { itemIndex }),
  );
  return found as IDataObject[];
}

function causeOf(functions: IExecuteFunctions, itemIndex: number): Cause {
  const node = functions.getNode();
  return {
    instanceId: functions.getInstanceId(),
    workflowId: functions.getWorkflow().id ?? '',
    executionId: functions.getExecutionId(),
    nodeId: node.id,
    runIndex: functions.getWorkflowDataProxy(itemIndex).$runIndex as number,
    itemIndex,
    // n8n derives the type of a tool from the type of its node.
    isTool: node.type.endsWith('Tool'),
  };
}

function asNodeError(functions: IExecuteFunctions, error: unknown, itemIndex: number): Error {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  return new NodeOperationError(functions.getNode(), error as Error, { itemIndex });
}
