import { readFileSync } from 'node:fs';

/** A JSON Schema, or a reference to a named one. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Answer | undefined>>;
}

/** The API's document, as far as tools need it. */
export interface ToolDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The document from which the SDKs are made (decision 32): `npm run check` compares it with the routes. */
export function readDocument(): ToolDocument {
  const file = new URL('../../../sdks/openapi.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as ToolDocument;
}
