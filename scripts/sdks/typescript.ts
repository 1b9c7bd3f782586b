import type { SdkDocument } from './document.ts';
import { type Method, nameOf, pascalCase, type Resource, resourcesOf } from './resources.ts';

const HEADER = "// Made by `npm run sdks` from the API's document. Do not edit.\n";

/**
 * The classes of `@recebe/sdk`: one per resource, one method per operation, and the names of the types that
 * openapi-typescript made of the same document.
 */
export function typescriptResources(document: SdkDocument): string {
  const resources = resourcesOf(document);
  return [
    HEADER,
    "import type { HttpClient, RequestOptions } from '../http-client.ts';",
    "import type { Pages } from '../pages.ts';",
    "import type { components, operations } from './schema.ts';",
    '',
    "type Schemas = components['schemas'];",
    ...namedSchemas(document),
    eventTypes(document),
    ...resources.flatMap(classesOf),
    rootClass(resources),
    '',
  ].join('\n');
}

function namedSchemas(document: SdkDocument): string[] {
  return Object.entries(document.components.schemas).map(([name, { description }]) =>
    documented(description, `export type ${name} = Schemas['${name}'];`, ''),
  );
}

function eventTypes(document: SdkDocument): string {
  const lines = Object.entries(document.webhooks).map(([name, { post }]) => {
    const schema = post.requestBody?.content['application/json']?.schema ?? {};
    return documented(post.summary, `'${name}': ${nameOf(schema)};`, '  ');
  });
  return `
/** The deliveries of webhooks by the name of their event. */
export interface WebhookEvents {
${lines.join('\n')}
}

/** A delivery of a webhook. A later release of the service may send events that are not in this union. */
export type WebhookEvent = WebhookEvents[keyof WebhookEvents];
`;
}

function classesOf(resource: Resource): string[] {
  const { className, description, methods, children } = resource;
  const own = methods.length === 0 ? [] : ['#http: HttpClient'];
  const fields = [...own, ...children.map((child) => `${child.name}: ${child.className}Resource`)];
  const made = children.map((child) => `    this.${child.name} = new ${child.className}Resource(http);`);
  const text = `
${documented(description, `export class ${className}Resource {`, '')}
${fields.map((field) => `  readonly ${field};`).join('\n')}

  constructor(http: HttpClient) {
${[...(methods.length === 0 ? [] : ['    this.#http = http;']), ...made].join('\n')}
  }
${methods.map(methodText).join('')}}
`;
  return [...children.flatMap(classesOf), ...methods.flatMap(queryTypes), text];
}

/** A name for the parameters of an operation's address. */
function queryTypes({ query, operation }: Method): string[] {
  if (query.length === 0) return [];
  const type = `operations['${operation.operationId}']['parameters']['query']`;
  return [`export type ${queryName(operation.operationId)} = NonNullable<${type}>;`];
}

function queryName(operationId: string): string {
  return `${pascalCase(operationId)}Query`;
}

function methodText(method: Method): string {
  const { name, verb, path, kind, operation, extras } = method;
  const given = parameterOf(method);
  const parameters = [...(given === null ? [] : [given.declared]), 'options?: RequestOptions'].join(', ');
  const sent = given?.name ?? 'undefined';
  const answered = answerType(method);
  const [result, call] =
    kind === 'pages'
      ? [
          `Pages<${answered}${extras.length === 0 ? '' : `, ${extraType(method)}`}>`,
          `list('${path}', ${sent}, options)`,
        ]
      : [`Promise<${answered}>`, `${verb.toLowerCase()}('${path}', ${sent}, options)`];
  const text = [operation.summary, operation.description].filter(Boolean).join('.\n\n');
  return `
${documented(text, `  ${name}(${parameters}): ${result} {`, '  ', true)}
    return this.#http.${call};
  }
`;
}

/** The argument of a method: the parameters and the body of an operation in one object. */
function parameterOf({ verb, query, body, operation }: Method) {
  const isRequired = query.some((parameter) => parameter.isRequired) || body?.isRequired === true;
  const mark = isRequired ? '' : '?';
  const types = [
    ...(query.length === 0 ? [] : [queryName(operation.operationId)]),
    ...(body === null ? [] : [nameOf(body.schema) ?? bodyType(operation.operationId)]),
  ];
  if (types.length === 0) return null;
  const name = verb === 'GET' ? 'query' : 'body';
  return { name, declared: `${name}${mark}: ${types.join(' & ')}` };
}

function bodyType(operationId: string): string {
  return `NonNullable<operations['${operationId}']['requestBody']>['content']['application/json']`;
}

function answerType({ answer, kind, operation }: Method): string {
  const name = nameOf(answer);
  if (name !== null) return name;
  const data = `${envelopeType(operation.operationId)}['data']`;
  return kind === 'pages' ? `${data}[number]` : data;
}

function extraType({ operation, extras }: Method): string {
  return `Pick<${envelopeType(operation.operationId)}, ${extras.map((name) => `'${name}'`).join(' | ')}>`;
}

function envelopeType(operationId: string): string {
  return `operations['${operationId}']['responses']['200']['content']['application/json']`;
}

function rootClass(resources: readonly Resource[]): string {
  const fields = resources.map(({ name, className, description }) =>
    documented(description, `readonly ${name}: ${className}Resource;`, '  '),
  );
  const made = resources.map(({ name, className }) => `    this.${name} = new ${className}Resource(http);`);
  return `
/** Every resource of the API. */
export class Resources {
${fields.join('\n')}

  constructor(http: HttpClient) {
${made.join('\n')}
  }
}`;
}

/** A declaration below its comment. */
function documented(comment: string | undefined, declaration: string, indent: string, isIndented = false) {
  const declared = isIndented ? declaration : indent + declaration;
  if (comment === undefined || comment === '') return declared;
  const lines = comment.replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n${declared}`;
  return [
    `${indent}/**`,
    ...lines.map((line) => `${indent} * ${line}`.trimEnd()),
    `${indent} */`,
    declared,
  ].join('\n');
}
