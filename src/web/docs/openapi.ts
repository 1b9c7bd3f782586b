/** The parts of an OpenAPI document that its reference shows. */
export interface OpenApi {
  /** The errors that every request may return. */
  readonly 'x-common-codes': readonly string[];
  /** The rules behind each code that stands for several. */
  readonly 'x-rules': Readonly<Record<string, { readonly code: string; readonly meaning: string }>>;
  /** The key of operations that do not say another. */
  readonly security: readonly Security[];
  readonly info: { readonly description: string };
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** The ways to prove who asks, by their names in the document. */
type Security = Readonly<Record<string, readonly string[]>>;

/** A section of the reference. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

export interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Answer;
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  /** Empty for an operation that needs no key. */
  readonly security?: readonly Security[];
  /** The permissions, for operations that need a key. */
  readonly 'x-permission'?: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** A response or a request body: they differ only in their place. */
interface Answer {
  readonly content?: { readonly 'application/json'?: Media; readonly 'text/event-stream'?: Media };
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: { readonly error?: string } }>>;
}

interface Reference {
  readonly $ref: string;
}

/** The part of JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The key that an operation takes. Everybody may know a public one. */
export type KeyKind = 'secret' | 'public';

/** Where examples have a key of each kind, as in the guides. */
export const KEY_VARIABLES: Readonly<Record<KeyKind, string>> = { secret: 'KEY', public: 'PUBLIC_KEY' };

/** The key that an operation takes; null if it needs none. */
export function keyOf(document: OpenApi, { security = document.security }: Operation): KeyKind | null {
  const [first] = security;
  if (first === undefined) return null;
  return 'publicKey' in first ? 'public' : 'secret';
}

/** The response itself, resolving a reference. */
export function answerOf({ components }: OpenApi, answer: Answer | Reference): Answer {
  if (!('$ref' in answer)) return answer;
  const named = components.responses[nameOf(answer.$ref)];
  if (named === undefined) throw new Error(`the document has no answer ${answer.$ref}`);
  return named;
}

/** The name in a reference: `#/components/schemas/Charge` is `Charge`. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
