import { request } from 'undici';

/** The parts of JSON Schema that the API's document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly example?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** The named schemas of a document. */
export type Schemas = Readonly<Record<string, Schema>>;

/** What scenarios read of an operation. */
interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
}

/** The operations of each path. */
export type Paths = Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;

/** The API's own description (OpenAPI). */
export interface ApiDocument {
  readonly paths: Paths;
  readonly components: { readonly schemas: Schemas };
}

export async function apiDocument(apiUrl: string): Promise<ApiDocument> {
  const { body } = await request(`${apiUrl}/openapi.json`);
  return (await body.json()) as ApiDocument;
}
