import type { Schema, SdkDocument } from './document.ts';
import { type Method, nameOf, type Resource, resourcesOf, variantsOf } from './resources.ts';

const HEADER = "# Made by `npm run sdks` from the API's document. Do not edit.\n";

/** The longest line of a docstring; what is longer is wrapped. */
const LINE_LENGTH = 110;

/**
 * The classes of the Python package `recebe`: one per resource, one method per operation. The types that they
 * name are those that datamodel-code-generator made of the same document.
 */
export function pythonResources(document: SdkDocument): string {
  const resources = resourcesOf(document);
  return [
    HEADER,
    'from __future__ import annotations',
    '',
    'from collections.abc import Mapping',
    'from typing import Literal, TypeAlias',
    '',
    'from .._http import HttpClient',
    'from .._pages import Pages',
    'from . import types',
    '',
    eventUnion(document),
    ...resources.flatMap(classesOf),
    rootClass(resources),
  ].join('\n');
}

function eventUnion(document: SdkDocument): string {
  const names = Object.values(document.webhooks).map(
    ({ post }) => `    types.${nameOf(post.requestBody?.content['application/json']?.schema ?? {})}`,
  );
  return `WebhookEvent: TypeAlias = (
${names.join('\n    | ').replaceAll('|     ', '| ')}
)
"""A delivery of a webhook. A later release of the service may send events that are not in this union."""
`;
}

function classesOf(resource: Resource): string[] {
  const { className, description, methods, children } = resource;
  const made = children.map(
    (child) =>
      `        self.${snakeCase(child.name)} = ${child.className}Resource(http)\n${docstring(child.description, 8)}`,
  );
  const text = `
class ${className}Resource:
${docstring(description, 4)}
    def __init__(self, http: HttpClient) -> None:
        self._http = http
${made.join('')}${methods.map(methodText).join('')}`;
  return [...children.flatMap(classesOf), text];
}

function methodText(method: Method): string {
  const { verb, path, kind, operation, name } = method;
  const reads = verb === 'GET';
  const parameters = reads ? method.query.map(parameterText) : bodyParameter(method);
  const options = reads
    ? ['timeout: float | None = None']
    : ['idempotency_key: str | None = None', 'timeout: float | None = None'];
  const all = ['self', ...(reads ? [] : parameters), '*', ...(reads ? parameters : []), ...options];
  const answered = answerType(method);
  const result = kind === 'pages' ? `Pages[${answered}]` : answered;
  const query = method.query.map((each) => `            "${each.name}": ${pythonName(each.name)},`);
  const sent = reads
    ? `{\n${query.join('\n')}\n        }`.replace('{\n\n        }', '{}')
    : parameters.length === 0
      ? '{}'
      : 'body';
  const keys = reads ? 'timeout=timeout' : 'idempotency_key=idempotency_key, timeout=timeout';
  const call = kind === 'pages' ? 'pages' : verb.toLowerCase();
  const text = [`${operation.summary}.`, operation.description].filter(Boolean).join('\n\n');
  return `
    def ${snakeCase(name)}(
${all.map((each) => `        ${each},`).join('\n')}
    ) -> ${result}:
${docstring(text, 8)}        answer: ${result} = self._http.${call}("${path}", ${sent}, ${keys})
        return answer
`;
}

function bodyParameter({ body }: Method): string[] {
  if (body === null) return [];
  const type = typeOf(body.schema);
  return [body.isRequired ? `body: ${type}` : `body: ${type} | None = None`];
}

function parameterText({ name, isRequired, schema }: Method['query'][number]): string {
  const type = typeOf(schema);
  return isRequired ? `${pythonName(name)}: ${type}` : `${pythonName(name)}: ${type} | None = None`;
}

function answerType({ answer }: Method): string {
  return typeOf(answer);
}

/** @throws an error for a schema that no operation has used so far. */
function typeOf(schema: Schema & { readonly enum?: readonly string[] }): string {
  const name = nameOf(schema);
  if (name !== null) return `types.${name}`;
  const variants = variantsOf(schema);
  if (variants.length > 0) return variants.map(typeOf).join(' | ');
  if (schema.enum !== undefined) return `Literal[${schema.enum.map((each) => `"${each}"`).join(', ')}]`;
  if (schema.type === 'string') return 'str';
  if (schema.type === 'integer') return 'int';
  if (schema.type === 'boolean') return 'bool';
  if (schema.type === 'object') return 'Mapping[str, str]';
  throw new Error(`scripts/sdks/python.ts has no type for ${JSON.stringify(schema)}`);
}

function rootClass(resources: readonly Resource[]): string {
  const made = resources.map(
    ({ name, className, description }) =>
      `        self.${snakeCase(name)} = ${className}Resource(http)\n${docstring(description, 8)}`,
  );
  return `
class Resources:
    """Every resource of the API."""

    def __init__(self, http: HttpClient) -> None:
${made.join('')}`;
}

function docstring(text: string, indent: number): string {
  const space = ' '.repeat(indent);
  const plain = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const lines = plain.split('\n').flatMap((line) => wrapped(line, LINE_LENGTH - indent));
  if (lines.length === 1 && !plain.endsWith('"')) return `${space}"""${plain}"""\n`;
  const inside = lines.map((line) => (line === '' ? '' : space + line)).join('\n');
  return `${space}"""\n${inside}\n${space}"""\n`;
}

function wrapped(line: string, length: number): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length + 1 > length) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** `from` is a word of the language. */
function pythonName(name: string): string {
  const snake = snakeCase(name);
  return snake === 'from' ? 'from_' : snake;
}

/** `simulatePayment` → `simulate_payment` */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
