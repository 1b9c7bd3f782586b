import type { SdkDocument } from './document.ts';
import { type Method, nameOf, pascalCase, type Resource, resourcesOf } from './resources.ts';

const HEADER = "// Made by `npm run sdks` from the API's document. DO NOT EDIT.\n";

/**
 * The services of the Go module: one struct per resource, one method per operation. The types that they name are
 * those that oapi-codegen made of the same document.
 */
export function goResources(document: SdkDocument): string {
  const resources = resourcesOf(document);
  const texts = resources.flatMap(serviceText);
  const imports = ['context', ...(texts.some((text) => text.includes('json.')) ? ['encoding/json'] : [])];
  return [
    HEADER,
    'package recebe\n',
    `import (\n${imports.map((name) => `\t"${name}"`).join('\n')}\n)\n`,
    eventNames(document),
    rootType(resources),
    ...texts,
  ].join('\n');
}

function eventNames(document: SdkDocument): string {
  const constants = Object.entries(document.webhooks).map(
    ([name, { post }]) => `${comment(post.summary, '\t')}\tEvent${goName(name)} = "${name}"`,
  );
  return `// Names of the events that webhooks deliver. A later release of the service may send others.
const (
${constants.join('\n')}
)
`;
}

function rootType(resources: readonly Resource[]): string {
  const fields = resources.map(
    ({ className, description }) => `${comment(description, '\t')}\t${className} *${className}Service`,
  );
  const made = resources.map(({ className }) => `\tr.${className} = ${newService(className)}`);
  return `// Resources are the operations of the API, grouped as its paths are.
type Resources struct {
${fields.join('\n')}
}

func newResources(http *httpClient) Resources {
	var r Resources
${made.join('\n')}
	return r
}
`;
}

function serviceText(resource: Resource): string[] {
  const { className, description, methods, children } = resource;
  const fields = children.map(
    (child) => `${comment(child.description, '\t')}\t${pascalCase(child.name)} *${child.className}Service`,
  );
  const made = children.map((child) => `\ts.${pascalCase(child.name)} = ${newService(child.className)}`);
  const text = `${comment(`${className}Service: ${description}`, '')}type ${className}Service struct {
${['\thttp *httpClient', ...fields].join('\n')}
}

func new${className}Service(http *httpClient) *${className}Service {
	s := &${className}Service{http: http}
${[...made, '\treturn s'].join('\n')}
}
${methods.map((method) => `\n${methodText(className, method)}`).join('')}`;
  return [...children.flatMap(serviceText), text];
}

function newService(className: string): string {
  return `new${className}Service(http)`;
}

function methodText(className: string, method: Method): string {
  const { verb, path, kind, operation, query, body } = method;
  const name = goName(method.name);
  const text = [`${name}: ${operation.summary}.`, operation.description].filter(Boolean).join('\n\n');
  const params = `${goName(operation.operationId)}Params`;
  const isRequired = query.some((parameter) => parameter.isRequired);
  const [given, sent] =
    verb === 'GET'
      ? query.length === 0
        ? [[], 'nil']
        : [[`params ${isRequired ? '' : '*'}${params}`], 'params']
      : body === null
        ? [[], 'nil']
        : [[`body ${body.isRequired ? '' : '*'}${nameOf(body.schema) ?? 'any'}`], 'body'];
  // An answer that is one of several objects has no name: its receiver decodes it.
  const answer = nameOf(method.answer) ?? 'json.RawMessage';
  const receiver = `func (s *${className}Service) ${name}`;
  if (kind === 'pages') {
    const parameters = [...given, 'options ...RequestOption'].join(', ');
    return `${comment(text, '')}${receiver}(${parameters}) *Pages[${answer}] {
	return list[${answer}](s.http, "${path}", ${sent}, options)
}
`;
  }
  const parameters = ['ctx context.Context', ...given, 'options ...RequestOption'].join(', ');
  return `${comment(text, '')}${receiver}(${parameters}) (*${answer}, error) {
	return ${verb.toLowerCase()}[${answer}](ctx, s.http, "${path}", ${sent}, options)
}
`;
}

function comment(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => `${`${indent}// ${line}`.trimEnd()}\n`)
    .join('');
}

/** `transparent.payment_failed` → `TransparentPaymentFailed` */
function goName(name: string): string {
  return name.replace(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
