import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  createDispatcher,
  createLoopbackDispatcher,
  type DispatcherOptions,
  ForbiddenAddressError,
  type GuardedDispatcher,
} from '../../src/outbound/guarded-dispatcher.ts';
import type { PostResult } from '../../src/outbound/post-result.ts';
import type { ResolveAddresses } from '../../src/outbound/resolve-addresses.ts';
import { checkEndpointUrl } from '../../src/webhooks/check-endpoint-url.ts';
import { postWebhook } from '../../src/webhooks/post-webhook.ts';
import { httpServer, httpsServer, TEST_CA, tcpServer } from '../support/servers/loopback-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

const open: GuardedDispatcher[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

function dispatcherWith(options: Partial<DispatcherOptions> = {}) {
  const guarded = createDispatcher({ allowPrivateEndpoints: false, ca: TEST_CA, ...options });
  open.push(guarded);
  return guarded.dispatcher;
}

function post(url: string, options?: Partial<DispatcherOptions>, timeoutMs = 20_000): Promise<PostResult> {
  return postWebhook({
    url,
    body: '{}',
    headers: {},
    dispatcher: dispatcherWith(options),
    userAgent: 'Recebe/0.1.0',
    timeoutMs,
  });
}

describe('the connection that is made', () => {
  it('refuses a name that was public when checked and loopback when connected to', async () => {
    await using server = await httpsServer((_request, response) => response.end());
    const lookup = jest
      .fn<ResolveAddresses>()
      .mockResolvedValueOnce(['93.184.215.14'])
      .mockResolvedValue(['127.0.0.1']);
    const endpoint = `https://hooks.example.com:${server.port}/`;

    const check = await checkEndpointUrl(endpoint, { allowPrivateEndpoints: false, lookup });
    const result = await post(endpoint, { lookup });

    expect(check.ok).toBe(true);
    expect(result).toMatchObject({ outcome: 'failed', statusCode: null });
    expect(result.error).toBe('forbidden address: the endpoint resolves to no public address');
    expect(server.connectionCount).toBe(0);
  });

  it('resolves the name once, so that there is no second answer to connect to', async () => {
    const lookup = jest.fn<ResolveAddresses>().mockResolvedValue(['10.0.0.1']);
    await post('https://hooks.example.com/', { lookup });
    expect(lookup).toHaveBeenCalledTimes(1);
  });

  it('makes several connections at once to a server that never finishes its handshakes', async () => {
    await using server = await tcpServer(() => undefined);
    const dispatcher = dispatcherWith({ allowPrivateEndpoints: true });
    const request = {
      url: `https://127.0.0.1:${server.port}/`,
      body: '{}',
      headers: {},
      userAgent: 'Recebe/0.1.0',
    };
    const posted = [1, 2, 3].map(() => postWebhook({ ...request, dispatcher, timeoutMs: 1_500 }));
    await eventually(async () => expect(server.connectionCount).toBe(3));
    for (const { outcome } of await Promise.all(posted)) expect(outcome).toBe('failed');
  });

  it('uses only the public ones of several addresses', async () => {
    await using server = await httpsServer((_request, response) => response.end());
    const lookup: ResolveAddresses = async () => ['127.0.0.1', '93.184.215.14', '::1'];
    const result = await post(`https://hooks.example.com:${server.port}/`, { lookup }, 300);
    expect(result.outcome).toBe('failed');
    expect(result.error).not.toMatch(/^forbidden/);
    expect(server.connectionCount).toBe(0);
  });

  it.each(['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]'])(
    'refuses the address %s without a lookup',
    async (host) => {
      await using server = await httpsServer((_request, response) => response.end());
      const lookup = jest.fn<ResolveAddresses>();
      const result = await post(`https://${host}:${server.port}/`, { lookup });
      expect(result.error).toBe('forbidden address: the endpoint is not a public address');
      expect(lookup).not.toHaveBeenCalled();
      expect(server.connectionCount).toBe(0);
    },
  );

  it.each([22, 25, 3306, 5432, 6379, 9200, 11_211, 27_017])(
    "refuses port %d, which is no web server's, before any lookup",
    async (port) => {
      const lookup = jest.fn<ResolveAddresses>().mockResolvedValue(['93.184.215.14']);
      const { error } = await post(`https://hooks.example.com:${port}/`, { lookup });
      expect(error).toBe("forbidden address: the endpoint's port is not a web server's");
      expect(lookup).not.toHaveBeenCalled();
    },
  );

  it('refuses an endpoint without TLS', async () => {
    await using server = await httpServer((_request, response) => response.end());
    const result = await post(`http://hooks.example.com:${server.port}/`, {
      lookup: async () => ['93.184.215.14'],
    });
    expect(result.error).toBe('forbidden address: webhooks are sent over HTTPS only');
  });

  it('fails with a typed error', async () => {
    const request = dispatcherWith().request({ origin: 'https://127.0.0.1', path: '/', method: 'POST' });
    await expect(request).rejects.toBeInstanceOf(ForbiddenAddressError);
  });
});

describe('connections to this machine', () => {
  const postLocally = (url: string) => {
    const loopback = createLoopbackDispatcher();
    open.push(loopback);
    const { dispatcher } = loopback;
    return postWebhook({ url, body: '{}', headers: {}, dispatcher, userAgent: 'Recebe/0.1.0' });
  };

  it.each(['localhost', 'shop.localhost', '127.0.0.1'])('delivers to %s without TLS', async (host) => {
    await using server = await httpServer((_request, response) => response.end());
    expect(await postLocally(`http://${host}:${server.port}/`)).toMatchObject({ outcome: 'delivered' });
  });

  it.each([
    'http://10.0.0.1/',
    'https://hooks.example.com/',
    'http://169.254.169.254/',
    'http://[::ffff:7f00:1]/',
  ])('refuses %s, which is not this machine', async (url) => {
    const { error } = await postLocally(url);
    expect(error).toBe('forbidden address: the endpoint is not on this machine');
  });

  it("refuses a database's port of this machine", async () => {
    const { error } = await postLocally('http://localhost:5432/');
    expect(error).toBe("forbidden address: the endpoint's port is not a web server's");
  });
});

describe('DNS failures', () => {
  it.each(['ENOTFOUND', 'ECONNREFUSED', 'ETIMEOUT'])('reports %s as a DNS error', async (code) => {
    const lookup: ResolveAddresses = async () => {
      throw Object.assign(new Error(`queryA ${code}`), { code, syscall: 'queryA' });
    };
    const result = await post('https://hooks.example.com/', { lookup });
    expect(result).toMatchObject({ outcome: 'failed', statusCode: null });
    expect(result.error).toBe(`DNS: the host name did not resolve (${code})`);
  });

  it('reports a name without addresses as a DNS error', async () => {
    const result = await post('https://hooks.example.com/', { lookup: async () => [] });
    expect(result.error).toBe('DNS: the host name did not resolve (ENODATA)');
  });
});

describe('TLS', () => {
  const toLoopback = { allowPrivateEndpoints: true, lookup: async () => ['127.0.0.1'] };

  it('accepts a certificate for the name', async () => {
    await using server = await httpsServer((_request, response) => response.end());
    const result = await post(`https://hooks.example.com:${server.port}/`, toLoopback);
    expect(result.outcome).toBe('delivered');
  });

  it('refuses a certificate for another name', async () => {
    await using server = await httpsServer((_request, response) => response.end());
    const result = await post(`https://other.example.com:${server.port}/`, toLoopback);
    expect(result.error).toBe('TLS: ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('refuses a certificate of an unknown authority', async () => {
    await using server = await httpsServer((_request, response) => response.end());
    const guarded = createDispatcher(toLoopback);
    open.push(guarded);
    const result = await postWebhook({
      url: `https://hooks.example.com:${server.port}/`,
      body: '{}',
      headers: {},
      dispatcher: guarded.dispatcher,
      userAgent: 'Recebe/0.1.0',
    });
    expect(result.error).toMatch(/^TLS: (?:UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET)/);
  });
});
