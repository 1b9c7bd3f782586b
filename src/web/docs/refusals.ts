import { cell } from './fields.ts';
import { answerOf, type OpenApi, type Operation } from './openapi.ts';

/** An error of the API. */
interface Refusal {
  readonly status: string;
  readonly code: string;
  readonly meaning: string;
}

/** The error codes that an operation may return, by status. */
export function codesOf(document: OpenApi, responses: Operation['responses']): Refusal[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const examples = answerOf(document, response).content?.['application/json']?.examples ?? {};
    return Object.entries(examples).map(([code, { value }]) => ({
      status,
      code,
      meaning: value.error ?? '',
    }));
  });
}

export function refusalTable(refusals: readonly Refusal[]): string {
  const lines = refusals.map(({ status, code, meaning }) => `| ${status} | \`${code}\` | ${cell(meaning)} |`);
  return ['| Status | Code | Meaning |', '|---|---|---|', ...lines].join('\n');
}

/** A page with all error codes of the API. */
export function errorsMarkdown(document: OpenApi): string {
  const all = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => codesOf(document, responses));
  const refusals = [...new Map(all.map((refusal) => [refusal.code, refusal])).values()].sort(
    (one, other) => Number(one.status) - Number(other.status) || one.code.localeCompare(other.code),
  );
  const isCommon = ({ code }: Refusal) => document['x-common-codes'].includes(code);
  return `# Errors

A failed request changes nothing. \`error\` says what is wrong and what would be right, \`code\` is for programs, and
\`issues\` lists each wrong field. See [the guide to errors](../guides/errors.md).

## Errors of every operation

${refusalTable(refusals.filter(isCommon))}

## Errors of some operations

${refusalTable(refusals.filter((refusal) => !isCommon(refusal)))}

## Rules

If a code covers several rules, \`rule\` says which one was violated.

| Code | Rule | Meaning |
|---|---|---|
${Object.entries(document['x-rules'])
  .map(([rule, { code, meaning }]) => `| \`${code}\` | \`${rule}\` | ${cell(meaning)} |`)
  .join('\n')}
`;
}
