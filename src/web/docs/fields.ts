import { nameOf, type Parameter, type Schema } from './openapi.ts';

/** A row of a table of fields. */
interface Field {
  /** Fields of nested objects start with a dot. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

/** A Markdown table of a schema's fields; empty if it has none. */
export function fieldTable(schema: Schema, isSent: boolean): string {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return '';
  const lines = fields.map(({ name, type, isRequired, meaning }) => {
    const demanded = isSent && isRequired ? '**Required.** ' : '';
    return `| \`${name}\` | ${type} | ${cell(demanded + meaning)} |`;
  });
  return ['| Field | Type | Meaning |', '|---|---|---|', ...lines].join('\n');
}

/** A Markdown table of a path's parameters. */
export function parameterTable(queries: readonly Parameter[]): string {
  const lines = queries.map(({ name, required, description, schema }) => {
    const meaning = `${required ? '**Required.** ' : ''}${description ?? schema.description ?? ''}`;
    return `| \`${name}\` | ${typeText(schema)} | ${cell(meaning)} |`;
  });
  return ['| Parameter | Type | Meaning |', '|---|---|---|', ...lines].join('\n');
}

/** Text escaped for a table cell. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
}

function fieldsOf(schema: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = {
      name: `${prefix}${name}`,
      type: typeText(property),
      isRequired: required.includes(name),
      meaning: meaningOf(property),
    };
    return [field, ...fieldsOf(objectIn(property), `${prefix}${name}.`)];
  });
}

/** The description of a property: its own, or that of its non-null type. */
function meaningOf(schema: Schema): string {
  return schema.description ?? some(schema)[0]?.description ?? '';
}

/** The object type of a property or of its list items, if its fields are defined inline. */
function objectIn(schema: Schema): Schema {
  const [only] = some(schema);
  return only?.items ? objectIn(only.items) : (only ?? {});
}

/** A schema's types except null. */
function some(schema: Schema): readonly Schema[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives === undefined) return [schema];
  return alternatives.flatMap(some).filter(({ type }) => type !== 'null');
}

/** The type of a field in a few words, with a link if it has a name. */
export function typeText(schema: Schema): string {
  const words = some(schema).map(plainType);
  return [...new Set([...words, ...(isNullable(schema) ? ['null'] : [])])].join(' or ');
}

function plainType({ $ref, enum: values, const: only, type, items, format }: Schema): string {
  if ($ref !== undefined) return `[${nameOf($ref)}](#${nameOf($ref).toLowerCase()})`;
  if (only !== undefined) return `\`${only}\``;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if (items !== undefined) return `list of ${typeText(items)}`;
  const name = [type ?? 'any'].flat().find((each) => each !== 'null') ?? 'null';
  if (name === 'string') return format === undefined ? 'text' : format;
  return name;
}

function isNullable({ type, anyOf, oneOf }: Schema): boolean {
  return [type].flat().includes('null') || (anyOf ?? oneOf ?? []).some(isNullable);
}

/** The names of all objects that a schema refers to, directly or indirectly. */
export function namesIn(
  schema: unknown,
  schemas: Readonly<Record<string, Schema>>,
  found = new Set<string>(),
): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [key, value] of Object.entries(schema)) {
    if (key !== '$ref') namesIn(value, schemas, found);
    else if (!found.has(nameOf(value))) {
      found.add(nameOf(value));
      namesIn(schemas[nameOf(value)], schemas, found);
    }
  }
  return found;
}
