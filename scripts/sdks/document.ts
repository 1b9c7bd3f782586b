import { openApiDocument } from '../../src/api/openapi/openapi.ts';
import { API_ROUTES } from '../../src/app.ts';

/** SDKs run on servers: without the operations of browsers. */
const ROUTES = API_ROUTES.filter(({ publicKey }) => publicKey !== true);

/** A JSON Schema, or a reference to a named one. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
  readonly description?: string;
}

interface Media {
  readonly schema: Schema;
}

interface Parameter {
  readonly in: 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Answer {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** An OpenAPI document, as far as the SDKs need it. */
export interface SdkDocument {
  readonly openapi: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

/**
 * The part of the API's document from which the SDKs are made: API v2 and its events. Without examples of
 * whole requests, headers and refusals, so that a change of those changes no SDK.
 */
export function sdkDocument(): SdkDocument {
  const whole = JSON.parse(
    open(JSON.stringify(openApiDocument(ROUTES, 'http://localhost:3000'))),
  ) as SdkDocument;
  const v2 = Object.fromEntries(Object.entries(whole.paths).filter(([path]) => path.startsWith('/v2/')));
  const paths = mapValues(v2, (item) => mapValues(item, plainOperation));
  const webhooks = Object.fromEntries(
    Object.entries(whole.webhooks)
      .filter(([, { post }]) => post.tags.includes('event-payloads'))
      .map(([name, { post }]) => [name, { post: plainEvent(post) }]),
  );
  return {
    openapi: whole.openapi,
    info: { title: 'Recebe', version: '2', license: { name: 'MIT', identifier: 'MIT' } },
    paths,
    webhooks,
    components: { schemas: reachable({ paths, webhooks }, withIds(whole.components.schemas, v2)) },
    tags: whole.tags.filter(({ name }) => isUsed(paths, name)),
  };
}

/**
 * A POST that takes an id in its address also accepts it in the body. Here it is a field of the body, so that a
 * method has one argument.
 */
function withIds(
  schemas: Readonly<Record<string, Schema>>,
  paths: SdkDocument['paths'],
): Readonly<Record<string, Schema>> {
  const more = Object.values(paths).flatMap(({ post }) => {
    const inAddress = queryOf(post);
    const name = post?.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1);
    const schema = name === undefined ? undefined : schemas[name];
    if (name === undefined || schema === undefined || inAddress.length === 0) return [];
    const properties = Object.fromEntries(inAddress.map((parameter) => [parameter.name, parameter.schema]));
    const required = inAddress.flatMap((parameter) => (parameter.required ? [parameter.name] : []));
    return [
      [
        name,
        {
          ...schema,
          properties: { ...properties, ...schema.properties },
          required: [...required, ...(schema.required ?? [])],
        },
      ] as const,
    ];
  });
  return { ...schemas, ...Object.fromEntries(more) };
}

function queryOf(operation: Operation | undefined): readonly Parameter[] {
  return (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query');
}

/** Objects may get fields in a later release of the service, so no library may take the known ones for all. */
function open(text: string): string {
  return text.replaceAll(/,?"additionalProperties":false/g, '');
}

/** The text of the document as it is kept in the repository. */
export function documentText(document: SdkDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

const FAILURE = {
  description: 'The request was refused.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};

function plainOperation(operation: Operation): Operation {
  const { operationId, summary, description, tags, requestBody, responses } = operation;
  const success = { description: 'Success', ...plainContent(responses['200']) };
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags,
    parameters: requestBody === undefined ? queryOf(operation) : [],
    ...(requestBody && {
      requestBody: { required: isRequired(operation), ...plainContent(requestBody) },
    }),
    responses: { '200': success, default: FAILURE },
  };
}

function isRequired({ requestBody, ...operation }: Operation): boolean {
  return requestBody?.required === true || queryOf(operation as Operation).some(({ required }) => required);
}

function plainEvent({ operationId, summary, tags, requestBody }: Operation): Operation {
  return {
    operationId,
    summary,
    tags,
    requestBody: { required: true, ...plainContent(requestBody) },
    responses: { '2XX': { description: 'Acknowledged.' } },
  };
}

/** Schemas without their examples. */
function plainContent(holder: { readonly content?: Readonly<Record<string, Media>> } | undefined) {
  return { content: mapValues(holder?.content ?? {}, ({ schema }) => ({ schema })) };
}

function isUsed(paths: SdkDocument['paths'], tag: string): boolean {
  return Object.values(paths).some((item) => Object.values(item).some(({ tags }) => tags.includes(tag)));
}

/** The named schemas that `root` refers to, directly or through others, in their own order. */
function reachable(root: object, schemas: SdkDocument['components']['schemas']) {
  const found = new Set<string>();
  const follow = (node: object) => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name];
      if (schema === undefined || found.has(name)) continue;
      found.add(name);
      follow(schema);
    }
  };
  follow(root);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function mapValues<Value, Result>(of: Readonly<Record<string, Value>>, map: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, map(value)]));
}
