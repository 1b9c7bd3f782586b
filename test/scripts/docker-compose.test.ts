import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SEARCH_ATTRIBUTE_FLAGS } from '../../scripts/embedded/search-attributes.ts';

const COMPOSE = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');

describe('docker-compose.yml', () => {
  it('registers exactly the search attributes that workflows set', () => {
    const registered = [...COMPOSE.matchAll(/--name=(\w+)\n\s+- --type=(\w+)/g)].map(
      ([, name, type]) => `${name}=${type}`,
    );
    expect(new Set(registered)).toEqual(new Set(SEARCH_ATTRIBUTE_FLAGS));
  });

  it('contains no password and no key, and starts without none', () => {
    const secrets = COMPOSE.match(/(?:PASSWORD|PWD|SECRETS_KEY|DATABASE_URL): .*/g) ?? [];
    expect(secrets).toHaveLength(7);
    for (const secret of secrets)
      expect(secret).toMatch(/\$\{(?:\w*POSTGRES_PASSWORD|SECRETS_KEY):\?[^}]+\}/);
    // Nor does Temporal's account know that of the service.
    expect(COMPOSE.match(/POSTGRES_USER: \w+|POSTGRES_PWD: \S+?(?=:)/g)).toEqual([
      'POSTGRES_USER: recebe',
      'POSTGRES_USER: temporal',
      'POSTGRES_PWD: ${TEMPORAL_POSTGRES_PASSWORD',
    ]);
    expect(COMPOSE).not.toMatch(/\$\{[A-Z_]*(?:PASSWORD|KEY):-/);
  });
});
