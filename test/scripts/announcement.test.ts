import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { announcement } from '../../scripts/announcement.ts';

const announced = (path: string) =>
  announcement({
    endpoints: {
      apiUrl: 'http://localhost:3001',
      databaseUrl: 'postgresql://127.0.0.1:54320/recebe',
      temporalAddress: '127.0.0.1:7233',
      temporalUiUrl: null,
      demoKey: 'abc_dev_1',
    },
    config: { publicUrl: null },
    folder: { path },
    signInPath: '/dashboard/enter/1',
    checkoutUrl: null,
  } as unknown as Parameters<typeof announcement>[0]);

it('names the dashboard before everything else', () => {
  const [first] = announced(resolve('.data'))
    .split('\n')
    .filter((line) => line.includes('http'));
  expect(first).toContain('http://localhost:3001/dashboard/enter/1');
});

it('names the folder for other terminals only if it is not the usual one', () => {
  expect(announced(resolve('.data'))).not.toContain('export RECEBE_DATA');
  expect(announced('/srv/recebe')).toContain('  export RECEBE_DATA=/srv/recebe\n');
});
