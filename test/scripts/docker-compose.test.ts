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
    const secrets = COMPOSE.match(/(?:PASSWORD|PWD|SECRETS_KEY): .*/g) ?? [];
    expect(secrets).toHaveLength(3);
    for (const secret of secrets)
      expect(secret).toMatch(/: \$\{(?:POSTGRES_PASSWORD|SECRETS_KEY):\?[^}]+\}$/);
    expect(COMPOSE).not.toMatch(/\$\{[A-Z_]*(?:PASSWORD|KEY):-/);
  });
});
