import { MAX_VALUES } from '../../src/api/frame/json-body.ts';
import type { Schema, Schemas } from './api-document.ts';

/** What a list without a limit of its own gets. */
const ITEMS = 100;
/** `metadata` may have 50 keys and 16 KiB. */
export const LARGEST_METADATA = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`key-${index}`, 'm'.repeat(300)]),
);
/** Nearly as many values as a body may have: a few more, such as the list itself, count too. */
const VALUES = MAX_VALUES - 100;

/**
 * A body with every field, the longest texts, and as many items as allowed: what the dearest accepted request looks like. Fields that
 * exclude each other make it a refused one, which must be cheap too.
 */
export function largestBody(schema: Schema, schemas: Schemas): unknown {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (schema.$ref !== undefined) return largestBody(named(schema.$ref, schemas), schemas);
  if (alternatives !== undefined)
    return longestOf(alternatives.map((alternative) => largestBody(alternative, schemas)));
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (isOf(schema, 'array')) return largestItems(schema, schemas);
  if (isOf(schema, 'object')) return largestObject(schema, schemas);
  if (isOf(schema, 'string')) return longestText(schema);
  if (isOf(schema, 'boolean')) return true;
  return schema.example ?? schema.minimum ?? (isOf(schema, 'null') ? null : 1);
}

/** Bodies in which everything is wrong: fields that do not exist, and wrong values in each field that can have many. */
export function wrongBodies(schema: Schema, schemas: Schemas): unknown[] {
  const unknownFields = Object.fromEntries(Array.from({ length: VALUES }, (_, index) => [`f${index}`, 1]));
  const { properties = {} } = schema.$ref === undefined ? schema : named(schema.$ref, schemas);
  const wrongItems = Object.entries(properties)
    .filter(([, property]) => isOf(property, 'array') || isOf(property, 'object'))
    .map(([name, property]) => ({
      [name]: isOf(property, 'array') ? Array(VALUES).fill({}) : unknownFields,
    }));
  return [unknownFields, ...wrongItems];
}

function named(reference: string, schemas: Schemas): Schema {
  return schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
}

function isOf({ type }: Schema, name: string): boolean {
  return typeof type === 'string' ? type === name : (type?.includes(name) ?? false);
}

function longestOf(values: readonly unknown[]): unknown {
  return values.reduce((one, other) =>
    JSON.stringify(other).length > JSON.stringify(one).length ? other : one,
  );
}

/** Each allowed value once, or the largest item as often as a list may have it. */
function largestItems({ items = {}, maxItems = ITEMS }: Schema, schemas: Schemas): unknown[] {
  return items.enum === undefined ? Array(maxItems).fill(largestBody(items, schemas)) : [...items.enum];
}

function largestObject({ properties, example }: Schema, schemas: Schemas): unknown {
  // Only `metadata` has fields without names.
  if (properties === undefined) return example ?? LARGEST_METADATA;
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      name === 'metadata' ? LARGEST_METADATA : largestBody(property, schemas),
    ]),
  );
}

/** Texts with a form of their own, such as ids, dates and addresses, are those of the documentation. */
function longestText({ example, pattern, maxLength = 500 }: Schema): string {
  const hasForm = (pattern !== undefined && pattern !== '\\S') || maxLength <= 30;
  if (typeof example === 'string' && (hasForm || /[_@:/]/.test(example))) return example;
  return 'x'.repeat(maxLength);
}
