import { describe, expect, it } from '@jest/globals';
import { developmentSettings, loadConfig } from '../../src/config.ts';
import { spawnScript } from '../support/servers/processes.ts';
import { eventually } from '../support/waiting/eventually.ts';

const DATABASE_URL = 'postgres://127.0.0.1/recebe';
const SECRETS_KEY = Buffer.alloc(32).toString('base64');

describe('a setting that is wrong', () => {
  it.each([
    ['PORT', 'abc', 'must be a whole number from 0 to 65535'],
    ['MAX_CONNECTIONS', '1.5', 'must be a whole number, 10 or more'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, silent'],
    ['ALLOW_PRIVATE_ENDPOINTS', 'yes', 'must be one of true, false'],
    ['PUBLIC_URL', 'pay.example.com', 'must be a complete address, such as https://pay.example.com'],
    [
      'TEMPORAL_TLS_CA',
      '/not/there.pem',
      'must be the path of a file that can be read, not "/not/there.pem"',
    ],
    [
      'DATABASE_URL',
      '',
      'is needed: the address of the database, such as postgres://user:password@host:5432/recebe',
    ],
    ['DATABASE_URL', 'mysql://127.0.0.1/recebe', 'must be an address that begins with postgres://'],
  ])('refuses %s=%s, naming the setting and the valid form', (name, value, what) => {
    expect(() => loadConfig({ DATABASE_URL, [name]: value })).toThrow(`${name}: ${what}`);
  });

  it.each(['http://pay.example.com', 'http://10.0.0.5:3000', 'http://localhost.example.com'])(
    'refuses PUBLIC_URL=%s in production, as sessions and keys would be unencrypted',
    (PUBLIC_URL) => {
      const production = { DATABASE_URL, PUBLIC_URL, NODE_ENV: 'production', SECRETS_KEY };
      expect(() => loadConfig(production)).toThrow('PUBLIC_URL: must be an https address');
      expect(loadConfig({ DATABASE_URL, PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL);
    },
  );

  it.each(['https://pay.example.com', 'http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'accepts PUBLIC_URL=%s in production',
    (PUBLIC_URL) => {
      const production = { DATABASE_URL, PUBLIC_URL, NODE_ENV: 'production', SECRETS_KEY };
      expect(loadConfig(production).publicUrl).toBe(PUBLIC_URL);
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.5'])('refuses http://localhost in production if HOST is %s', (HOST) => {
    const production = { DATABASE_URL, NODE_ENV: 'production', SECRETS_KEY, HOST };
    const open = { ...production, PUBLIC_URL: 'http://localhost:3000' };
    expect(() => loadConfig(open)).toThrow(`HOST is ${HOST}, which other machines reach over plain HTTP`);
    expect(loadConfig({ ...open, HOST: '127.0.0.1' }).host).toBe('127.0.0.1');
    expect(loadConfig({ ...open, PUBLISHED_ON_LOOPBACK: 'true' }).host).toBe(HOST);
    expect(loadConfig({ ...open, PUBLIC_URL: 'https://pay.example.com' }).host).toBe(HOST);
    const elsewhere = { ...production, PUBLIC_URL: 'http://10.0.0.5', PUBLISHED_ON_LOOPBACK: 'true' };
    expect(() => loadConfig(elsewhere)).toThrow('PUBLIC_URL: must be an https address');
  });

  it('requires PUBLIC_URL in production unless HOST is a loopback address', () => {
    const production = { DATABASE_URL, NODE_ENV: 'production', SECRETS_KEY };
    for (const HOST of ['0.0.0.0', '::', '10.0.0.5'])
      expect(() => loadConfig({ ...production, HOST })).toThrow('PUBLIC_URL: is needed');
    for (const HOST of ['127.0.0.1', '::1', 'localhost'])
      expect(loadConfig({ ...production, HOST }).publicUrl).toBeNull();
  });

  it.each([
    ['HTTPS://Pay.Example.com', 'https://pay.example.com'],
    ['https://pay.example.com:443//', 'https://pay.example.com'],
    ['HTTP://LOCALHOST:3000/', 'http://localhost:3000'],
  ])('normalizes PUBLIC_URL=%s to %s', (PUBLIC_URL, publicUrl) => {
    expect(loadConfig({ DATABASE_URL, PUBLIC_URL })).toMatchObject({ publicUrl });
  });

  it.each([
    'https://user:secret@pay.example.com',
    'https://pay.example.com/?a=b',
    'https://pay.example.com#a',
  ])('refuses PUBLIC_URL=%s with a user, query or fragment', (PUBLIC_URL) => {
    expect(() => loadConfig({ DATABASE_URL, PUBLIC_URL })).toThrow('without a user, a query or a fragment');
  });

  it.each([
    { NODE_ENV: 'production', SECRETS_KEY },
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://pay.example.com' },
  ])('refuses endpoints on this machine for a deployed service: %j', (deployed) => {
    const allowing = { DATABASE_URL, ALLOW_LOOPBACK_ENDPOINTS: 'true', ...deployed };
    expect(() => loadConfig(allowing)).toThrow('ALLOW_LOOPBACK_ENDPOINTS: must be false');
    expect(developmentSettings(deployed)).toEqual({});
    expect(loadConfig({ DATABASE_URL, ...deployed }).allowLoopbackEndpoints).toBe(false);
  });

  it('lets npm start allow endpoints on this machine unless somebody forbids it', () => {
    const settings = developmentSettings({ PUBLIC_URL: 'http://localhost:3000' });
    expect(loadConfig({ DATABASE_URL, ...settings }).allowLoopbackEndpoints).toBe(true);
    expect(developmentSettings({ ALLOW_LOOPBACK_ENDPOINTS: 'false' })).toEqual({});
  });

  it('refuses a notifications port without a certificate and its own key', () => {
    const tls = 'test/support/servers/tls';
    const port = {
      DATABASE_URL,
      NOTIFICATIONS_PORT: '3443',
      NOTIFICATIONS_CERT: `${tls}/test-only-server.pem`,
    };
    expect(() => loadConfig(port)).toThrow('NOTIFICATIONS_CERT, NOTIFICATIONS_KEY: are needed');
    const own = { ...port, NOTIFICATIONS_KEY: `${tls}/test-only-server-key.pem` };
    expect(loadConfig(own).notifications).toMatchObject({ port: 3_443 });
    const ofAnother = { ...own, NOTIFICATIONS_CERT: `${tls}/test-only-ca.pem` };
    expect(() => loadConfig(ofAnother)).toThrow('NOTIFICATIONS_KEY: must be the unencrypted key');
  });

  it('ends the API and a worker with a message and without a stack', async () => {
    for (const script of ['src/server.ts', 'src/worker.ts']) {
      await using process = spawnScript(script, { DATABASE_URL, PORT: 'abc', LOG_LEVEL: 'loud' });
      expect(await process.exited).toBe('exit code 1');
      await eventually(() =>
        expect(process.output()).toBe(
          'Invalid configuration (docs/operating.md lists all settings):\n' +
            'PORT: must be a whole number from 0 to 65535\n' +
            'LOG_LEVEL: must be one of fatal, error, warn, info, debug, silent\n',
        ),
      );
    }
  });
});
