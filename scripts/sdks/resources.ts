import type { Operation, Schema, SdkDocument } from './document.ts';

/** A method of an SDK: one operation of the API. */
export interface Method {
  /** For example `create`, or `simulatePayment`. */
  readonly name: string;
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  readonly operation: Operation;
  /** What it returns: one object, or pages of them. */
  readonly kind: 'object' | 'pages';
  /** The parameters of the address, in the order of the document. */
  readonly query: readonly { readonly name: string; readonly isRequired: boolean; readonly schema: Schema }[];
  /** The body's schema, if it has fields. */
  readonly body: { readonly schema: Schema; readonly isRequired: boolean } | null;
  /** The schema of `data`; of one object of it, if the answer is a list. */
  readonly answer: Schema;
  /** Fields of a page beside `data` and `pagination`. */
  readonly extras: readonly string[];
}

/** A group of methods: `transparents`, or `deliveries` within `webhooks`. */
export interface Resource {
  readonly name: string;
  /** The name with those of the resources around it, for example `WebhooksDeliveries`. */
  readonly className: string;
  readonly description: string;
  readonly methods: readonly Method[];
  readonly children: readonly Resource[];
}

/**
 * The tree of resources. A path's last part names the method: `/transparents/create` is `transparents.create`.
 * A path that also begins others is a resource itself: `/webhooks/deliveries` is `webhooks.deliveries.list`,
 * because `/webhooks/deliveries/get` exists.
 */
export function resourcesOf(document: SdkDocument): Resource[] {
  const paths = Object.keys(document.paths);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      // A stream never ends, and a file has no fields.
      .filter(([, { responses }]) => 'application/json' in (responses['200']?.content ?? {}))
      .map(([verb, operation]) => ({
        parts: partsOf(path, paths),
        method: methodOf(document, verb.toUpperCase() as Method['verb'], path, operation),
      })),
  );
  return resourcesIn(document, [], operations);
}

interface Placed {
  readonly parts: readonly string[];
  readonly method: Omit<Method, 'name'>;
}

function resourcesIn(
  document: SdkDocument,
  parents: readonly string[],
  placed: readonly Placed[],
): Resource[] {
  const depth = parents.length;
  const names = new Set(
    placed.flatMap(({ parts }) => (parts.length > depth + 1 ? [parts[depth] ?? ''] : [])),
  );
  return [...names].map((part) => {
    const inside = placed.filter(({ parts }) => parts[depth] === part && parts.length > depth + 1);
    const here = inside.filter(({ parts }) => parts.length === depth + 2);
    const path = [...parents, part];
    const tag = document.tags.find(({ name }) => name === part);
    return {
      name: camelCase(part),
      className: path.map(pascalCase).join(''),
      description: (depth === 0 && tag?.description) || `The operations below \`/v2/${path.join('/')}\`.`,
      methods: here.map(({ parts, method }) => ({
        ...method,
        name: camelCase(parts.at(-1) || methodOfWholePath(method)),
      })),
      children: resourcesIn(document, path, inside),
    };
  });
}

/** The parts of a path, with a method's name at the end if other paths continue it. */
function partsOf(path: string, paths: readonly string[]): string[] {
  const parts = path.slice('/v2/'.length).split('/');
  return paths.some((other) => other.startsWith(`${path}/`)) ? [...parts, ''] : parts;
}

/** What a path does that names a resource and no method. */
function methodOfWholePath({ verb, kind }: Omit<Method, 'name'>): string {
  if (verb === 'POST') return 'create';
  return kind === 'pages' ? 'list' : 'get';
}

function methodOf(
  document: SdkDocument,
  verb: Method['verb'],
  path: string,
  operation: Operation,
): Omit<Method, 'name'> {
  const content = at(operation.responses, '200')?.content ?? {};
  const envelope = at(content, 'application/json')?.schema;
  const fields = envelope === undefined ? {} : (resolved(document, envelope).properties ?? {});
  const isList = 'pagination' in fields;
  const body = operation.requestBody;
  const bodySchema = body && at(body.content, 'application/json')?.schema;
  const hasFields =
    bodySchema !== undefined && Object.keys(resolved(document, bodySchema).properties ?? {}).length > 0;
  const isChoice = bodySchema !== undefined && variantsOf(resolved(document, bodySchema)).length > 0;
  return {
    verb,
    path,
    operation,
    kind: isList ? 'pages' : 'object',
    query: (operation.parameters ?? []).map(({ name, required, schema }) => ({
      name,
      isRequired: required === true,
      schema,
    })),
    body:
      bodySchema !== undefined && (hasFields || isChoice)
        ? { schema: bodySchema, isRequired: body?.required === true }
        : null,
    answer: (isList ? at(fields, 'data')?.items : at(fields, 'data')) ?? {},
    extras: Object.keys(fields).filter((name) => !ENVELOPE.has(name)),
  };
}

const ENVELOPE = new Set(['data', 'success', 'error', 'pagination']);

/** What a record may not have. */
export function at<Value>(of: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return of[key];
}

/** The schema, or the one that it refers to. */
export function resolved(document: SdkDocument, schema: Schema): Schema {
  const name = nameOf(schema);
  return name === null ? schema : (at(document.components.schemas, name) ?? {});
}

/** The name of a schema that is a reference. */
export function nameOf(schema: Schema): string | null {
  return schema.$ref?.split('/').at(-1) ?? null;
}

/** The schemas between which a schema leaves the choice. */
export function variantsOf(schema: Schema): readonly Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [];
}

/** `payment-links` → `paymentLinks` */
export function camelCase(text: string): string {
  return text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `payment-links` → `PaymentLinks` */
export function pascalCase(text: string): string {
  const name = camelCase(text);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
