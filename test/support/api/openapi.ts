import { z } from 'zod';
import type { ApiAnswer, ApiClient } from './api-client.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Content {
  readonly description?: string;
  readonly content?: { readonly 'application/json': Media };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: { readonly example?: unknown; readonly examples?: readonly unknown[] };
  }[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content>>;
  readonly 'x-permission'?: readonly string[];
}

/** The part of an OpenAPI document that tests look at. */
export interface OpenApi {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

/** The document as a service serves it, with every answer that it only names put in its place. */
export async function readOpenApi(api: ApiClient): Promise<OpenApi> {
  const { text } = await api.get('/openapi.json', { key: null });
  const { responses } = (JSON.parse(text) as OpenApi).components;
  return JSON.parse(text, (_, value) => {
    const name = /^#\/components\/responses\/(.+)$/.exec(value?.$ref)?.[1];
    return name === undefined ? value : responses[name];
  });
}

/**
 * Whether the document describes this answer of `method` `path`. @throws an error that says where it does
 * not.
 */
export function expectDocumented(document: OpenApi, method: string, path: string, answer: ApiAnswer): void {
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status];
  const media = response?.content?.['application/json'];
  if (media === undefined)
    throw new Error(`${method} ${path} has no documented answer ${answer.status}: ${answer.text}`);
  validator(document, media.schema).parse(JSON.parse(answer.text));
}

/**
 * Per document, by the schema's text: making one takes far longer than the check, and most answers share
 * theirs.
 */
const made = new WeakMap<OpenApi, Map<string, z.ZodType>>();

/** A check of JSON against a schema of the document. */
export function validator(document: OpenApi, schema: object): z.ZodType {
  const ofDocument = made.get(document) ?? new Map<string, z.ZodType>();
  made.set(document, ofDocument);
  const text = JSON.stringify(schema);
  const check = ofDocument.get(text) ?? newValidator(document, schema);
  ofDocument.set(text, check);
  return check;
}

function newValidator(document: OpenApi, schema: object): z.ZodType {
  const local = JSON.stringify({ ...schema, $defs: document.components.schemas });
  return z.fromJSONSchema(JSON.parse(local.replaceAll('#/components/schemas/', '#/$defs/')));
}

/** Every operation of the document, as `[method, path, operation]`. */
export function operationsOf(document: OpenApi): [string, string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [method, path, operation]),
  );
}
