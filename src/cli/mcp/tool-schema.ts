import type { Schema, ToolDocument } from './document.ts';

/** An object's schema without references or a choice at its top, which clients of MCP refuse. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/** Keywords that no model needs: the API checks each value, and names what is wrong. */
const LEFT_OUT = new Set(['example', 'format', 'pattern', 'propertyNames', 'discriminator']);

/** The schema with every reference replaced by what it refers to. */
export function inlined(document: ToolDocument, schema: Schema): Schema {
  return inlinedValue(document, schema) as Schema;
}

function inlinedValue(document: ToolDocument, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inlinedValue(document, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(resolved(document, value as Schema)).flatMap(([keyword, inside]) => {
      if (keyword === 'properties') return [[keyword, inlinedProperties(document, inside as object)]];
      return LEFT_OUT.has(keyword) ? [] : [[keyword, inlinedValue(document, inside)]];
    }),
  );
}

/** A named schema may be another one's with a description of its own. */
function resolved(document: ToolDocument, { $ref, ...own }: Schema): Omit<Schema, '$ref'> {
  const named = $ref === undefined ? undefined : document.components.schemas[$ref.split('/').at(-1) ?? ''];
  return named === undefined ? own : { ...resolved(document, named), ...own };
}

/** Names of properties are no keywords: one may be called `pattern`. */
function inlinedProperties(document: ToolDocument, properties: object): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, inlinedValue(document, schema)]),
  );
}

/**
 * One object that allows what any of the variants allows. The API still refuses a mixture of them.
 * @param schema inlined: an object, or a choice between objects.
 */
export function asObject(schema: Schema): ObjectSchema {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants === undefined)
    return { type: 'object', properties: schema.properties ?? {}, required: schema.required ?? [] };
  const objects = variants.map(asObject);
  const names = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties)))];
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        anyOf(objects.flatMap(({ properties }) => (name in properties ? [properties[name] ?? {}] : []))),
      ]),
    ),
    required: names.filter((name) => objects.every(({ required }) => required.includes(name))),
  };
}

/** The choice between schemas: once if they are equal, a list of values if each allows one. */
function anyOf(schemas: readonly Schema[]): Schema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first, ...others] = different;
  if (first !== undefined && others.length === 0) return first;
  if (different.every((schema) => schema.const !== undefined))
    return { type: 'string', enum: different.map((schema) => schema.const) };
  return { anyOf: different };
}
