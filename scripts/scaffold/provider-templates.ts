import { readFileSync } from 'node:fs';
import type { ProviderName } from './provider-name.ts';

type Template = 'kind' | 'provider' | 'test' | 'next-steps';

/** A text of `templates/` with the name in it. */
export function filledTemplate(template: Template, name: ProviderName): string {
  return readFileSync(new URL(`templates/${template}.txt`, import.meta.url), 'utf8')
    .replaceAll('{{name}}', name.name)
    .replaceAll('{{Name}}', name.inTypes)
    .replaceAll('{{NAME}}', name.inConstants);
}

/** The test of a provider. The formatter sorts imports by path: the name decides whether the adapter comes first. */
export function filledTest(name: ProviderName): string {
  const text = filledTemplate('test', name);
  if (`${name.name}-provider.ts` > 'kind.ts') return text;
  const [jest, kind, provider, ...others] = text.split('\n');
  return [jest, provider, kind, ...others].join('\n');
}
