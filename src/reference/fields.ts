import { nameOf, type Parameter, type Schema } from './openapi.ts';

/** A line of a table of fields. */
interface Field {
  /** With a dot before each field of an object within. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

/** A table in Markdown of the fields that a schema describes; empty where it describes none. */
export function fieldTable(schema: Schema, isSent: boolean): string {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return '';
  const lines = fields.map(({ name, type, isRequired, meaning }) => {
    const demanded = isSent && isRequired ? '**Required.** ' : '';
    return `| \`${name}\` | ${type} | ${cell(demanded + meaning)} |`;
  });
  return ['| Field | Type | Meaning |', '|---|---|---|', ...lines].join('\n');
}

/** A table in Markdown of the parameters of an address. */
export function parameterTable(queries: readonly Parameter[]): string {
  const lines = queries.map(({ name, required, description, schema }) => {
    const meaning = `${required ? '**Required.** ' : ''}${description ?? schema.description ?? ''}`;
    return `| \`${name}\` | ${typeText(schema)} | ${cell(meaning)} |`;
  });
  return ['| Parameter | Type | Meaning |', '|---|---|---|', ...lines].join('\n');
}

/** Text as it may stand in a cell of a table. */
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

/** What to say of a property: its own words, or those of what it is when it is not null. */
function meaningOf(schema: Schema): string {
  return schema.description ?? some(schema)[0]?.description ?? '';
}

/** The object that a property is, or is a list of, if its fields are described on the spot. */
function objectIn(schema: Schema): Schema {
  const [only] = some(schema);
  return only?.items ? objectIn(only.items) : (only ?? {});
}

/** What a schema may be besides null. */
function some(schema: Schema): readonly Schema[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives === undefined) return [schema];
  return alternatives.flatMap(some).filter(({ type }) => type !== 'null');
}

/** The type of a field in a few words, with a link where it has a name. */
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

/** The names of all objects that a schema refers to, directly or through others. */
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
