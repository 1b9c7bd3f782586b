import type { Say } from '../frame/locale.ts';

/**
 * Why an attempt failed, in Portuguese. The delivery log has it in English (src/outbound), for programs too. `$1` is the text in
 * the parentheses.
 */
const PORTUGUESE: readonly (readonly [english: RegExp, portuguese: string])[] = [
  [/^timeout: no connection$/, 'tempo esgotado: sem conexão'],
  [
    /^timeout: no connection was free or made within (\S+) s$/,
    'tempo esgotado: nenhuma conexão livre ou feita em $1 s',
  ],
  [/^timeout: no complete response within (\S+) s$/, 'tempo esgotado: sem resposta completa em $1 s'],
  [/^connection refused$/, 'conexão recusada'],
  [
    /^connection closed before the response was complete$/,
    'conexão encerrada antes de a resposta estar completa',
  ],
  [/^connection failed$/, 'a conexão falhou'],
  [/^connection failed: (.*)$/, 'a conexão falhou: $1'],
  [/^host unreachable$/, 'servidor inalcançável'],
  [/^DNS: the host name did not resolve \((.*)\)$/, 'DNS: o nome do servidor não foi encontrado ($1)'],
  [/^invalid response: headers too large$/, 'resposta inválida: cabeçalhos grandes demais'],
  [/^invalid response: not HTTP\/1\.1$/, 'resposta inválida: não é HTTP/1.1'],
  [/^no response$/, 'sem resposta'],
  [/^redirect: HTTP (\d+) is not followed$/, 'redirecionamento: HTTP $1 não é seguido'],
  [/^HTTP 410: the endpoint is gone$/, 'HTTP 410: o endereço não existe mais'],
  [
    /^forbidden address: webhooks are sent over HTTPS only$/,
    'endereço proibido: webhooks só são enviados por HTTPS',
  ],
  [
    /^forbidden address: the endpoint is not a public address$/,
    'endereço proibido: não é um endereço público',
  ],
  [
    /^forbidden address: the endpoint's port is not a web server's$/,
    'endereço proibido: a porta não é de um servidor web',
  ],
  [
    /^forbidden address: the endpoint resolves to no public address$/,
    'endereço proibido: o nome não leva a nenhum endereço público',
  ],
];

/** Why an attempt at a delivery failed. Errors without a translation, such as `HTTP 500`, are shown unchanged. */
export function failureWords(error: string, say: Say): string {
  const [english, portuguese] = PORTUGUESE.find(([pattern]) => pattern.test(error)) ?? [];
  return english === undefined || portuguese === undefined
    ? error
    : say(error.replace(english, portuguese), error);
}
