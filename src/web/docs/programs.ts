import type { Code } from './highlighter.ts';
import type { OpenApi } from './openapi.ts';

/** A request of the reference as programs see it. */
interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

/** The languages of examples, by what Markdown calls them, in the order of their tabs. */
export const LANGUAGES = { sh: 'curl', js: 'Node.js', python: 'Python', php: 'PHP', go: 'Go' } as const;

/**
 * Programs that send the example of an operation. Each prints the answer and reads the key from the environment.
 * @param operation such as `POST /v2/coupons/create`.
 */
export function programsFor(document: OpenApi, operation: string, publicUrl: string): readonly Code[] {
  const [method = '', path = ''] = operation.split(' ');
  const described = document.paths[path]?.[method.toLowerCase()];
  if (described === undefined) return [];
  const demanded = (described.parameters ?? []).filter(
    (each) => each.in === 'query' && each.required === true,
  );
  const query = demanded.map(({ name }) => `${name}=…`).join('&');
  const call = {
    method,
    url: `${publicUrl}${path}${query === '' ? '' : `?${query}`}`,
    body: described.requestBody?.content?.['application/json']?.example,
  };
  return [
    { language: 'js', text: node(call) },
    { language: 'python', text: python(call) },
    { language: 'php', text: php(call) },
    { language: 'go', text: go(call) },
  ];
}

const json = (body: unknown) => JSON.stringify(body, null, 2);

function node({ method, url, body }: Call): string {
  const type = body === undefined ? '' : `, 'Content-Type': 'application/json'`;
  const sent = body === undefined ? '' : `\n  body: JSON.stringify(${json(body).replaceAll('\n', '\n  ')}),`;
  return `import { env } from 'node:process';

const response = await fetch('${url}', {
  method: '${method}',
  headers: { Authorization: \`Bearer \${env.KEY}\`${type} },${sent}
});
console.log(await response.json());`;
}

function python({ method, url, body }: Call): string {
  const type = body === undefined ? '' : ', "Content-Type": "application/json"';
  const sent = body === undefined ? '' : `\n    data=json.dumps(${pythonValue(body)}).encode(),`;
  return `import json
import os
import urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={"Authorization": "Bearer " + os.environ["KEY"]${type}},${sent}
)
with urllib.request.urlopen(request, timeout=30) as response:
    print(json.load(response))`;
}

/** JSON text with Python's words outside strings. */
function pythonValue(body: unknown): string {
  const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  return json(body)
    .replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (part) => words[part] ?? part)
    .replaceAll('\n', '\n    ');
}

function php({ method, url, body }: Call): string {
  const type = body === undefined ? '' : `, 'Content-Type: application/json'`;
  const sent = body === undefined ? '' : `\n    'content' => <<<'JSON'\n${json(body)}\nJSON,`;
  return `<?php
$context = stream_context_create(['http' => [
    'method' => '${method}',
    'header' => ['Authorization: Bearer ' . getenv('KEY')${type}],
    'ignore_errors' => true,${sent}
]]);
echo file_get_contents('${url}', false, $context);`;
}

function go({ method, url, body }: Call): string {
  const sent = body === undefined ? 'nil' : `strings.NewReader(\`${json(body)}\`)`;
  const type = body === undefined ? '' : `\n\trequest.Header.Set("Content-Type", "application/json")`;
  return `package main

import (
\t"io"
\t"log"
\t"net/http"
\t"os"${body === undefined ? '' : '\n\t"strings"'}
)

func main() {
\trequest, err := http.NewRequest("${method}", "${url}", ${sent})
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))${type}
\tresponse, err := http.DefaultClient.Do(request)
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\tdefer response.Body.Close()
\tio.Copy(os.Stdout, response.Body)
}`;
}
