import { fieldTable, namesIn, parameterTable, typeText } from './fields.ts';
import {
  answerOf,
  KEY_VARIABLES,
  type KeyKind,
  keyOf,
  type OpenApi,
  type Operation,
  type Parameter,
  type Schema,
  type Tag,
} from './openapi.ts';
import { codesOf, refusalTable } from './refusals.ts';

/** A section of the reference in Markdown: its operations or events, and the objects that they use. */
export function sectionMarkdown(document: OpenApi, { name, description }: Tag, title: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(name))
      .map(([method, operation]) => operationMarkdown(document, method.toUpperCase(), path, operation)),
  );
  const events = Object.entries(document.webhooks)
    .filter(([, { post }]) => post.tags.includes(name))
    .map(([event, { post }]) => eventMarkdown(event, post));
  const shown = [
    ...Object.values(document.paths).flatMap((methods) => Object.values(methods)),
    ...Object.values(document.webhooks).map(({ post }) => post),
  ].filter(({ tags }) => tags.includes(name));
  return [`# ${title}`, description, ...operations, ...events, ...objects(document, shown)].join('\n\n');
}

function operationMarkdown(document: OpenApi, method: string, path: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  const body = requestBody?.content?.['application/json'];
  const content = responses['200'] && answerOf(document, responses['200']).content;
  const answer = content?.['application/json'];
  const stream = content?.['text/event-stream'];
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    queries.length > 0 && `### Parameters\n\n${parameterTable(queries)}`,
    body && bodyMarkdown(body.schema),
    `### Example\n\n${code(stream ? 'sh' : `sh ${method} ${path}`, curl(method, path, queries, body?.example, keyOf(document, operation)))}`,
    answer?.example !== undefined && code('json', JSON.stringify(answer.example, null, 2)),
    stream && code('text', String(stream.example).trimEnd()),
    answer && answerNote(answer.schema),
    operation['x-permission'] && refusals(document, responses),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function eventMarkdown(name: string, { summary, requestBody }: Operation): string {
  const body = requestBody?.content?.['application/json'];
  const example = body && code('json', JSON.stringify(body.example, null, 2));
  return [`## ${name}`, `${summary}.`, example, body && `It is ${typeText(body.schema)}.`]
    .filter(Boolean)
    .join('\n\n');
}

/** A request body with one form, or with each of its forms. */
function bodyMarkdown(schema: Schema): string {
  const forms = schema.oneOf ?? schema.anyOf ?? [schema];
  const tables = forms.map((form) => fieldTable(form, true)).filter((table) => table !== '');
  return tables.length === 0 ? '' : `### Body\n\n${tables.join('\n\nor\n\n')}`;
}

function answerNote({ properties }: Schema): string {
  const data = properties?.data;
  return data === undefined ? '' : `\`data\` is ${data.items ? 'a ' : ''}${typeText(data)}.`;
}

function curl(
  method: string,
  path: string,
  queries: readonly Parameter[],
  body: unknown,
  key: KeyKind | null,
): string {
  const demanded = queries.filter(({ required }) => required === true);
  const query = demanded.map(({ name }) => `${name}=…`).join('&');
  // `$API` is the URL of v2, as in the guides.
  const address = path.startsWith('/v2/') ? `$API${path.slice('/v2'.length)}` : `\${API%/v2}${path}`;
  const url = `"${address}${query === '' ? '' : `?${query}`}"`;
  const sent = [`curl ${method === 'POST' ? '-X POST ' : ''}${url}`];
  if (key !== null) sent.push(`-H "Authorization: Bearer $${KEY_VARIABLES[key]}"`);
  if (body !== undefined) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
    sent.push("-H 'Content-Type: application/json'", `-d '${json}'`);
  }
  return sent.join(' \\\n  ');
}

function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** The errors that an operation may return, except those of every request. */
function refusals(document: OpenApi, responses: Operation['responses']): string {
  const own = codesOf(document, responses).filter(({ code }) => !document['x-common-codes'].includes(code));
  const table = own.length === 0 ? [] : [refusalTable(own), ''];
  return ['### Refusals', '', ...table, 'And [what any request may be refused for](errors.md).'].join('\n');
}

/** Objects used by every section, which the API guide explains. */
const EVERYWHERE = new Set(['Failure', 'V1Failure', 'Pagination']);

function objects({ components }: OpenApi, operations: readonly Operation[]): string[] {
  const { schemas } = components;
  const names = operations.flatMap(({ requestBody, responses }) => [
    ...namesIn(requestBody, schemas),
    ...namesIn(responses['200'], schemas),
  ]);
  return [...new Set(names)]
    .filter((name) => !EVERYWHERE.has(name))
    .sort((one, other) => one.localeCompare(other))
    .map((name) => {
      const { description, oneOf, ...schema } = schemas[name] ?? {};
      const forms = oneOf && `One of ${oneOf.map(typeText).join(' and ')}.`;
      return [`## ${name}`, description, forms ?? fieldTable(schema, false)].filter(Boolean).join('\n\n');
    });
}
