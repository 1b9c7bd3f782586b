import { expect, it } from '@jest/globals';
import type { DocumentPage } from '../../../src/web/docs/library.ts';
import { sectionsOf } from '../../../src/web/docs/sections.ts';

it('keeps commands out of the text that results show', () => {
  const markdown =
    '# Keys\n\nCreate one:\n\n```sh\ncurl /v2/keys/create\n```\n\n```json\n{ "id": 1 }\n```\n\nKeep it.\n';
  const [section] = sectionsOf({ path: 'guides/keys', markdown } as DocumentPage);
  expect(section).toMatchObject({ text: 'Create one: Keep it.', commands: 'curl /v2/keys/create' });
});

it('keeps the cells and rows of a table apart', () => {
  const markdown = `# Errors

See [the list](list.md):

| Status | Code | Meaning |
|---|---|---|
| 404 | \`ROUTE_NOT_FOUND\` | The path does not exist. |
| 405 | | Another method. |
`;
  const [section] = sectionsOf({ path: 'guides/errors', markdown } as DocumentPage);
  expect(section?.text).toBe(
    'See the list: 404 · ROUTE_NOT_FOUND · The path does not exist.; 405 · Another method.',
  );
});
