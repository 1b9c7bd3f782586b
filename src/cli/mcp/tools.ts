import { UsageError } from '../usage-error.ts';
import type { Operation, ToolDocument } from './document.ts';
import { asObject, inlined, type ObjectSchema } from './tool-schema.ts';

/** An operation of the API as a tool for a model. */
export interface Tool {
  /** Such as `transparents_create`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly verb: 'GET' | 'POST';
  /** Such as `transparents/create`, below `/v2/`. */
  readonly path: string;
  /** Whether it only reads. The API changes nothing on a GET. */
  readonly isRead: boolean;
  readonly isList: boolean;
}

/** Which tools a server offers. */
export interface ToolChoice {
  /** Whether tools are on that move money or change anything. */
  readonly allowsWrites: boolean;
  /** Names of tools, or of resources such as `transparents`; null for all. */
  readonly names: readonly string[] | null;
  /** Whether the key is of dev mode, which alone has operations to simulate payers and time. */
  readonly isDevMode: boolean;
}

/** A model reads every object that it asks for. */
const DEFAULT_LIMIT = 20;

const IDEMPOTENCY_KEY = {
  type: 'string',
  maxLength: 255,
  description:
    'Optional. Calls with the same key are carried out once within 24 hours. Use an id of the order or the task.',
} as const;

/** Every tool that the document makes. */
export function allTools(document: ToolDocument): Tool[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, operation]) => {
      const tool = toolOf(document, verb === 'get' ? 'GET' : 'POST', path, operation);
      return isForModels(operation, tool) ? [tool] : [];
    }),
  );
}

/**
 * Whether a model can use it: its answer is JSON that ends, and it is given no secret, which would stay in the
 * conversation.
 */
function isForModels({ responses }: Operation, { inputSchema }: Tool): boolean {
  return 'application/json' in (responses['200']?.content ?? {}) && !('secret' in inputSchema.properties);
}

function toolOf(document: ToolDocument, verb: Tool['verb'], path: string, operation: Operation): Tool {
  const parameters = operation.parameters ?? [];
  const query = {
    properties: Object.fromEntries(
      parameters.map(({ name, schema }) => [
        name,
        inlined(document, name === 'limit' ? { ...schema, default: DEFAULT_LIMIT } : schema),
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  const body = asObject(inlined(document, operation.requestBody?.content['application/json']?.schema ?? {}));
  const isRead = verb === 'GET';
  return {
    name: snakeCase(operation.operationId),
    title: operation.summary,
    description: [operation.summary, operation.description].filter(Boolean).join('.\n\n'),
    inputSchema: {
      type: 'object',
      properties: {
        ...query.properties,
        ...body.properties,
        ...(!isRead && { idempotencyKey: IDEMPOTENCY_KEY }),
      },
      required: [...query.required, ...body.required],
    },
    verb,
    path: path.slice('/v2/'.length),
    isRead,
    isList: parameters.some(({ name }) => name === 'limit'),
  };
}

/** `paymentLinksCreate` → `payment_links_create` */
function snakeCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The arguments with the defaults that differ from the API's. */
export function withDefaults(tool: Tool, args: Readonly<Record<string, unknown>>) {
  return tool.isList ? { limit: DEFAULT_LIMIT, ...args } : args;
}

/**
 * The tools of a choice.
 * @throws UsageError that lists the resources, if a name is unknown.
 */
export function chosenTools(tools: readonly Tool[], { allowsWrites, names, isDevMode }: ToolChoice): Tool[] {
  const unknown = names?.find((name) => !tools.some((tool) => isNamed(tool, name)));
  if (unknown !== undefined) {
    const resources = [...new Set(tools.map(({ path }) => path.split('/')[0]))];
    throw new UsageError(
      `--tools: there is no "${unknown}"; give names of tools or of resources: ${resources.join(', ')}`,
    );
  }
  return tools.filter(
    (tool) =>
      (tool.isRead || allowsWrites) &&
      (isDevMode || !isOfDevMode(tool)) &&
      (names === null || names.some((name) => isNamed(tool, name))),
  );
}

function isNamed({ name, path }: Tool, wanted: string): boolean {
  return name === wanted || path === wanted || path.startsWith(`${wanted}/`);
}

function isOfDevMode({ path }: Tool): boolean {
  return path.startsWith('dev/') || path.endsWith('/simulate-payment');
}
