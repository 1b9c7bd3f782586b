import './environment.js';
import { randomUUID } from 'node:crypto';
import { ExecuteContext, HookContext, PackageDirectoryLoader, WebhookContext } from 'n8n-core';
import {
  createRunExecutionData,
  type IAuthenticateGeneric,
  type ICredentialDataDecryptedObject,
  type IDataObject,
  type IHttpRequestOptions,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type INodeTypes,
  type IWebhookData,
  type IWebhookResponseData,
  type IWorkflowExecuteAdditionalData,
  NodeHelpers,
  Workflow,
} from 'n8n-workflow';

/** One execution of a node. */
export interface Execution {
  readonly executionId: string;
  /** How often the node has run in this execution, as in a loop. */
  readonly runIndex?: number;
  readonly items?: INodeExecutionData[];
  readonly continueOnFail?: boolean;
  /** Whether an agent calls the node as its tool. */
  readonly isTool?: boolean;
}

/** What a node answers to a delivery. */
export interface Received {
  readonly status: number;
  readonly started: INodeExecutionData[][];
}

const NAME = 'Recebe';
/** Nothing listens there. */
const N8N_URL = 'http://localhost:5678';

/** An n8n with nothing but the installed package: its loader, its contexts and its requests. */
export class Installation {
  readonly loader: PackageDirectoryLoader;
  readonly #credentials: ICredentialDataDecryptedObject;
  readonly #nodeTypes: INodeTypes;

  constructor(folder: string, credentials: ICredentialDataDecryptedObject) {
    this.loader = new PackageDirectoryLoader(folder);
    this.#credentials = credentials;
    // n8n makes the type of a tool from the node, with this ending.
    const typeOf = (name: string) => this.loader.getNode(name.replace(/^.*\./, '').replace(/Tool$/, '')).type;
    this.#nodeTypes = {
      getByName: typeOf,
      getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(typeOf(name), version),
      getKnownTypes: () => ({}),
    };
  }

  /** A workflow with this one node. */
  workflow(type: string, parameters: INodeParameters, more: Partial<INode> = {}): Workflow {
    const node: INode = {
      id: 'node-1',
      name: NAME,
      type: `n8n-nodes-recebe.${type}`,
      typeVersion: 1,
      position: [0, 0],
      parameters,
      webhookId: randomUUID(),
      credentials: { recebeApi: { id: '1', name: 'Recebe' } },
      ...more,
    };
    return new Workflow({
      id: 'workflow-1',
      name: 'Consumer',
      nodes: [node],
      connections: {},
      active: true,
      nodeTypes: this.#nodeTypes,
      staticData: {},
    });
  }

  /** Runs the node Recebe, as n8n's engine does for each try. */
  async execute(parameters: INodeParameters, execution: Execution): Promise<INodeExecutionData[]> {
    const { executionId, runIndex = 0, items = [{ json: {} }], continueOnFail = false } = execution;
    const type = execution.isTool ? 'recebeTool' : 'recebe';
    const workflow = this.workflow(type, parameters, { continueOnFail });
    const node = workflow.getNode(NAME) as INode;
    const input = { main: [items] };
    const context = new ExecuteContext(
      workflow,
      node,
      this.#additionalData(workflow, { executionId }),
      'trigger',
      createRunExecutionData({}),
      runIndex,
      items,
      input,
      { node, data: input, source: null },
      [],
    );
    const output = await this.#nodeTypes.getByNameAndVersion(node.type).execute?.call(context);
    return (output as INodeExecutionData[][])[0] ?? [];
  }

  /** Calls a hook of the trigger, as n8n does when a workflow is turned on or off. */
  async hook(
    workflow: Workflow,
    name: 'checkExists' | 'create' | 'delete',
    baseUrl: string,
  ): Promise<boolean> {
    const { node, webhookData } = triggerOf(workflow, this.#nodeTypes);
    const additionalData = this.#additionalData(workflow, { webhookBaseUrl: baseUrl });
    const context = new HookContext(workflow, node, additionalData, 'trigger', 'activate', webhookData);
    const method = this.#nodeTypes.getByNameAndVersion(node.type).webhookMethods?.default?.[name];
    return (await method?.call(context)) ?? false;
  }

  /** The address of the trigger, below the base of n8n's webhooks. */
  webhookUrl(workflow: Workflow, baseUrl: string): string {
    const { node } = triggerOf(workflow, this.#nodeTypes);
    return NodeHelpers.getNodeWebhookUrl(baseUrl, workflow.id, node, 'webhook', false);
  }

  /** Gives a delivery to the trigger, as n8n does once it has read and parsed the body. */
  async receive(workflow: Workflow, headers: object, rawBody: Buffer): Promise<Received> {
    const { node, webhookData } = triggerOf(workflow, this.#nodeTypes);
    let status = 200;
    const response = {
      status(code: number) {
        status = code;
        return response;
      },
      end: () => response,
    };
    const request = { headers, rawBody, body: JSON.parse(rawBody.toString()), params: {}, query: {} };
    const additionalData = this.#additionalData(workflow, { httpRequest: request, httpResponse: response });
    const context = new WebhookContext(workflow, node, additionalData, 'webhook', webhookData, [], null);
    const webhook = this.#nodeTypes.getByNameAndVersion(node.type).webhook;
    const result: IWebhookResponseData = (await webhook?.call(context)) ?? {};
    return { status, started: result.workflowData ?? [] };
  }

  /** The request with which n8n tests the credential. */
  testRequest(credentials: ICredentialDataDecryptedObject): IHttpRequestOptions {
    const workflow = this.workflow('recebe', {});
    const request = this.loader.getCredential('recebeApi').type.test?.request;
    const resolved = this.#resolved(workflow, { ...request } as IDataObject, credentials);
    return this.#authenticated(workflow, resolved as unknown as IHttpRequestOptions, credentials);
  }

  #additionalData(workflow: Workflow, more: object): IWorkflowExecuteAdditionalData {
    const credentialsHelper = {
      getParentTypes: () => [],
      isCredentialUsableByNode: () => true,
      getDecrypted: async () => this.#credentials,
      preAuthentication: async () => undefined,
      authenticate: async (
        credentials: ICredentialDataDecryptedObject,
        _type: string,
        request: IHttpRequestOptions,
      ) => this.#authenticated(workflow, request, credentials),
    };
    const addresses = {
      webhookWaitingBaseUrl: `${N8N_URL}/webhook-waiting`,
      formWaitingBaseUrl: `${N8N_URL}/form-waiting`,
    };
    return {
      credentialsHelper,
      variables: {},
      ...addresses,
      ...more,
    } as unknown as IWorkflowExecuteAdditionalData;
  }

  /** Adds what the credential declares, as the helper of the n8n server does. */
  #authenticated(
    workflow: Workflow,
    request: IHttpRequestOptions,
    credentials: ICredentialDataDecryptedObject,
  ): IHttpRequestOptions {
    const { properties } = this.loader.getCredential('recebeApi').type.authenticate as IAuthenticateGeneric;
    const headers = this.#resolved(workflow, { ...properties.headers }, credentials);
    return { ...request, headers: { ...request.headers, ...headers } };
  }

  #resolved(
    workflow: Workflow,
    values: IDataObject,
    credentials: ICredentialDataDecryptedObject,
  ): IDataObject {
    const node = workflow.getNode(NAME) as INode;
    const keys = { $credentials: credentials };
    return Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        workflow.expression.getSimpleParameterValue(node, value as string, 'internal', keys),
      ]),
    ) as IDataObject;
  }
}

function triggerOf(workflow: Workflow, nodeTypes: INodeTypes) {
  const node = workflow.getNode(NAME) as INode;
  const [webhookDescription] = nodeTypes.getByNameAndVersion(node.type).description.webhooks ?? [];
  const webhookData = { node: NAME, workflowId: workflow.id, webhookDescription } as unknown as IWebhookData;
  return { node, webhookData };
}
