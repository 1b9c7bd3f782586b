import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse as parseYaml } from 'yaml';
import { SEARCH_ATTRIBUTE_FLAGS } from '../../scripts/embedded/search-attributes.ts';

const COMPOSE = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
const DOCKERFILE = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
const PINNED = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

describe('docker-compose.yml', () => {
  it('registers exactly the search attributes that workflows set', () => {
    const registered = [...COMPOSE.matchAll(/--name=(\w+)\n\s+- --type=(\w+)/g)].map(
      ([, name, type]) => `${name}=${type}`,
    );
    expect(new Set(registered)).toEqual(new Set(SEARCH_ATTRIBUTE_FLAGS));
  });

  it('pins images by digest, or by a full version that is never published again', () => {
    const inCompose = [...COMPOSE.matchAll(/image: (?:&\S+ )?(?![*])(\S+)/g)].map(([, image]) => image);
    const inDockerfile = [...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(inDockerfile).toHaveLength(2);
    const unpinned = [...inCompose, ...inDockerfile].filter((image) => !PINNED.test(image ?? ''));
    // Temporal never publishes a version's tag again; docs/operating.md says how to add their digests.
    expect(new Set(unpinned)).toEqual(
      new Set([
        'recebe',
        'temporalio/admin-tools:1.29.1-tctl-1.18.4-cli-1.5.0',
        'temporalio/server:1.29.1',
        'temporalio/ui:2.42.1',
      ]),
    );
  });

  it('runs the image without root, and says whether its process answers', () => {
    // Kubernetes cannot tell whether a named account is root.
    expect(DOCKERFILE.match(/^USER .*/gm)).toEqual(['USER 1000:1000']);
    expect(DOCKERFILE).toMatch(/^HEALTHCHECK .*\n\s+CMD \["node", "--eval", "fetch\(/m);
    // The worker has no other port, and no check of its own.
    expect(COMPOSE).toMatch(/METRICS_PORT: \d+/);
    const { services } = parseYaml(COMPOSE, { merge: true }) as { services: Record<string, object> };
    expect(services.worker).not.toHaveProperty('healthcheck');
  });

  it('compiles the service as the account that runs it', () => {
    expect(DOCKERFILE).toMatch(/^RUN .* install -d -o 1000 -g 1000 compiled$/m);
    expect(DOCKERFILE).toMatch(/^ENV .*NODE_COMPILE_CACHE=\/app\/compiled$/m);
    expect(DOCKERFILE.indexOf('node src/compile.ts')).toBeGreaterThan(DOCKERFILE.indexOf('USER 1000:1000'));
  });

  it.each(['api', 'worker', 'migrate'])('gives %s a read-only file system and no capabilities', (name) => {
    const { services } = parseYaml(COMPOSE, { merge: true }) as { services: Record<string, object> };
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('creates the data with an encoding that the builtin locale accepts', () => {
    // With --locale=C alone, initdb chooses SQL_ASCII and ends: the builtin provider needs UTF-8.
    expect(COMPOSE).toContain(
      'POSTGRES_INITDB_ARGS: --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8',
    );
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
