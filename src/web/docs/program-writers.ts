import type { Call } from './example-steps.ts';
import { partsOf } from './variables.ts';

/** How a language writes a variable: one that the program has set, or one of the environment. */
type Named = (name: string) => string;

/** Writes examples in one language. Each program has a function that sends a request, prints the response and returns it. */
export interface Writer {
  /** The program around its lines. @param key the variable of the environment with the key; null for requests without one. */
  readonly program: (lines: readonly string[], publicUrl: string, key: string | null) => string;
  readonly call: (call: Call, named: Named) => string;
  readonly wait: (seconds: number) => string;
  readonly local: (name: string) => string;
  readonly environment: (name: string) => string;
}

/** `WITH_COUPON` as `withCoupon`. */
const camelCase = (name: string) =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const js: Writer = {
  program: (
    lines,
    publicUrl,
    key,
  ) => `${key === null ? '' : "import { env } from 'node:process';\n\n"}async function call(method, path, body) {
  const response = await fetch('${publicUrl}' + path, {
    method,
    headers: { ${key === null ? '' : `Authorization: \`Bearer \${env.${key}}\`, `}'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  console.log(answer);
  return answer;
}

${lines.join('\n')}`,
  call: ({ method, path, body, keeps }, named) => {
    const sent = `await call('${method}', ${joined(path, (text) => `'${text}'`, named, ' + ')}${argument(body, JS, named)})`;
    return keeps === null
      ? `${sent};`
      : `const ${camelCase(keeps.name)} = (${sent})${keeps.field.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')};`;
  },
  wait: (seconds) => `await new Promise((resolve) => setTimeout(resolve, ${seconds * 1_000}));`,
  local: camelCase,
  environment: (name) => `env.${name}`,
};

const python: Writer = {
  program: (lines, publicUrl, key) =>
    `import json
${key === null ? '' : 'import os\n'}import time
import urllib.request


def call(method, path, body=None):
    request = urllib.request.Request(
        "${publicUrl}" + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={${key === null ? '' : `"Authorization": "Bearer " + os.environ["${key}"], `}"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        answer = json.load(response)
    print(answer)
    return answer


${lines.join('\n')}`.replace(lines.some((line) => line.startsWith('time.')) ? /$^/ : 'import time\n', ''),
  call: ({ method, path, body, keeps }, named) => {
    const sent = `call("${method}", ${joined(path, (text) => `"${text}"`, named, ' + ')}${argument(body, PYTHON, named)})`;
    return keeps === null
      ? sent
      : `${keeps.name.toLowerCase()} = ${sent}${keeps.field.map((key) => `[${JSON.stringify(key)}]`).join('')}`;
  },
  wait: (seconds) => `time.sleep(${seconds})`,
  local: (name) => name.toLowerCase(),
  environment: (name) => `os.environ["${name}"]`,
};

const php: Writer = {
  program: (lines, publicUrl, key) => `<?php
function call(string $method, string $path, mixed $body = null): array
{
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => [${key === null ? '' : `'Authorization: Bearer ' . getenv('${key}'), `}'Content-Type: application/json'],
        'content' => $body === null ? '' : json_encode($body),
        'ignore_errors' => true,
    ]]);
    $answer = file_get_contents('${publicUrl}' . $path, false, $context);
    echo $answer, "\\n";
    return json_decode($answer, true);
}

${lines.join('\n')}`,
  call: ({ method, path, body, keeps }, named) => {
    const sent = `call('${method}', ${joined(path, (text) => `'${text}'`, named, ' . ')}${argument(body, PHP, named)})`;
    return keeps === null
      ? `${sent};`
      : `$${camelCase(keeps.name)} = ${sent}${keeps.field.map((key) => (typeof key === 'number' ? `[${key}]` : `['${key}']`)).join('')};`;
  },
  wait: (seconds) => `sleep(${seconds});`,
  local: (name) => `$${camelCase(name)}`,
  environment: (name) => `getenv('${name}')`,
};

const go: Writer = {
  program: (lines, publicUrl, key) => `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"${key === null ? '' : '\n\t"os"'}
	"strings"${lines.some((line) => line.startsWith('time.')) ? '\n\t"time"' : ''}
)

func call(method, path, body string) map[string]any {
	request, err := http.NewRequest(method, "${publicUrl}"+path, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
${key === null ? '' : `\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${key}"))\n`}	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
	return answer
}

func main() {
${lines.map((line) => `\t${line}`).join('\n')}
}`,
  call: ({ method, path, body, keeps }, named) => {
    const json = body === undefined ? '' : JSON.stringify(body, null, 2);
    const text = json === '' ? '""' : joined(json, (part) => `\`${part}\``, named, '+');
    const sent = `call("${method}", ${joined(path, (part) => `"${part}"`, named, '+')}, ${text})`;
    return keeps === null
      ? sent
      : `${camelCase(keeps.name)} := ${sent}${keeps.field.map(goStep).join('')}.(string)`;
  },
  wait: (seconds) => `time.Sleep(${seconds} * time.Second)`,
  local: camelCase,
  environment: (name) => `os.Getenv("${name}")`,
};

/** Each step but the first must say what the value is that it looks into. */
function goStep(key: string | number, index: number): string {
  const type = index === 0 ? '' : typeof key === 'number' ? '.([]any)' : '.(map[string]any)';
  return `${type}[${JSON.stringify(key)}]`;
}

/** The writers by the languages of examples, except the shell's, in which examples are written. */
export const WRITERS = { js, python, php, go } as const satisfies Readonly<Record<string, Writer>>;

/** A text with variables, as an expression. */
function joined(text: string, quoted: (text: string) => string, named: Named, plus: string): string {
  return partsOf(text)
    .map((part) => ('text' in part ? quoted(part.text) : named(part.name)))
    .join(plus);
}

/** How a language writes the values of JSON. */
interface Notation {
  readonly list: readonly [open: string, close: string];
  readonly object: readonly [open: string, close: string];
  readonly emptyObject: string;
  readonly words: Readonly<Record<string, string>>;
  readonly indent: string;
  readonly plus: string;
  readonly string: (text: string) => string;
  readonly key: (name: string) => string;
}

const single = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const square = ['[', ']'] as const;
const curly = ['{', '}'] as const;

const JS: Notation = {
  ...{ list: square, object: curly, emptyObject: '{}', words: {}, indent: '  ', plus: ' + ' },
  string: (text) => single(text).replaceAll('\n', '\\n'),
  key: (name) => `${/^\w+$/.test(name) ? name : single(name)}: `,
};

const PYTHON: Notation = {
  ...{ list: square, object: curly, emptyObject: '{}', indent: '    ', plus: ' + ' },
  words: { true: 'True', false: 'False', null: 'None' },
  string: (text) => JSON.stringify(text),
  key: (name) => `${JSON.stringify(name)}: `,
};

const PHP: Notation = {
  ...{ list: square, object: square, words: {}, indent: '    ', plus: ' . ' },
  // An empty array would be sent as a list.
  emptyObject: 'new stdClass()',
  string: single,
  key: (name) => `${single(name)} => `,
};

/** A body as the last argument of a call; nothing if there is none. */
function argument(body: unknown, notation: Notation, named: Named): string {
  return body === undefined ? '' : `, ${literal(body, notation, named, '')}`;
}

function literal(value: unknown, notation: Notation, named: Named, margin: string): string {
  const { list, object, emptyObject, words, indent, plus, string, key } = notation;
  if (typeof value === 'string') return value === '' ? string('') : joined(value, string, named, plus);
  if (typeof value !== 'object' || value === null) return words[String(value)] ?? String(value);
  const inner = margin + indent;
  const entries = Array.isArray(value)
    ? value.map((each) => literal(each, notation, named, inner))
    : Object.entries(value).map(([name, each]) => key(name) + literal(each, notation, named, inner));
  const [open, close] = Array.isArray(value) ? list : object;
  if (entries.length === 0) return Array.isArray(value) ? open + close : emptyObject;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${margin}${close}`;
}
