import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ToolCalls } from '../../src/cli/mcp/call-tool.ts';
import { readDocument } from '../../src/cli/mcp/document.ts';
import { allTools, chosenTools, type Tool } from '../../src/cli/mcp/tools.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { run } from '../support/cli/command.ts';

const COMMAND_LINE = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly json: ReturnType<typeof JSON.parse>;
}

/** The command as a program with a model starts it. */
async function startMcp(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND_LINE, 'mcp', ...args],
    env: { ...environment },
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    errors: () => errors,
    async call(name: string, given: Record<string, unknown> = {}): Promise<Answer> {
      const { content, isError } = await client.callTool({ name, arguments: given });
      const [first] = content;
      if (first?.type !== 'text') throw new Error('the answer is no text');
      return { isError: isError === true, text: first.text, json: JSON.parse(first.text) };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function environmentOf({ url, key }: { readonly url: string; readonly key: string }) {
  return { RECEBE_API_URL: url, RECEBE_API_KEY: key };
}

describe('recebe mcp', () => {
  it('lists tools that read, reads charges and refuses to create one', async () => {
    const { api } = await app.anotherStore();
    await api.post('/v2/transparents/create', { method: 'PIX', data: { amount: 2_500 } });
    await using mcp = await startMcp([], environmentOf(api));
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['transparents_list', 'payments_get', 'store_get', 'customers_list']),
    );
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(mcp.client.getInstructions()).toContain('dev mode');

    const charges = await mcp.call('transparents_list');
    expect(charges.json).toMatchObject({ data: [{ amount: 2_500, status: 'PENDING' }] });
    const refused = await mcp.call('transparents_create', { method: 'PIX', data: { amount: 100 } });
    expect(refused).toMatchObject({
      isError: true,
      json: { code: 'TOOL_NOT_OFFERED', error: expect.stringContaining('--allow-writes') },
    });
    expect((await mcp.call('transparents_list')).json.data).toHaveLength(1);
    expect(mcp.errors()).toBe('');
  });

  it('creates a charge with --allow-writes and explains what is wrong with another', async () => {
    const { api } = await app.anotherStore();
    await using mcp = await startMcp(['--allow-writes'], environmentOf(api));
    const made = await mcp.call('transparents_create', { method: 'PIX', data: { amount: 1_990 } });
    expect(made).toMatchObject({ isError: false, json: { data: { amount: 1_990, status: 'PENDING' } } });
    const found = await mcp.call('transparents_get', { id: made.json.data.id });
    expect(found.json.data.id).toBe(made.json.data.id);

    const wrong = await mcp.call('transparents_create', { method: 'PIX', data: { amount: 0 } });
    expect(wrong).toMatchObject({
      isError: true,
      json: {
        code: 'VALIDATION_ERROR',
        status: 400,
        issues: [{ path: 'data.amount' }],
        whatToDo: expect.stringContaining('Correct the arguments'),
      },
    });
    const list = await api.get('/v2/transparents/list');
    expect(list.json.data).toHaveLength(1);
  });

  it('offers only the tools of --tools', async () => {
    await using mcp = await startMcp(
      ['--tools', 'payments,transparents_get'],
      environmentOf((await app.anotherStore()).api),
    );
    const { tools } = await mcp.client.listTools();
    const offered = new Set(tools.map(({ name }) => name));
    expect(offered).toEqual(new Set(['payments_get', 'payments_list', 'transparents_get']));
    expect(await mcp.call('store_get')).toMatchObject({ isError: true, json: { code: 'TOOL_NOT_OFFERED' } });
    expect(await mcp.call('store_delete')).toMatchObject({
      isError: true,
      json: { code: 'TOOL_NOT_OFFERED' },
    });
  });

  it('says which setting is wrong if the key is unknown, without the key', async () => {
    const { api } = await app.anotherStore();
    const key = 'abc_dev_notAKeyOfAnyStore';
    await using mcp = await startMcp([], environmentOf({ url: api.url, key }));
    const { isError, json, text } = await mcp.call('store_get');
    expect({ isError, json }).toMatchObject({
      isError: true,
      json: { status: 401, whatToDo: expect.stringContaining('RECEBE_API_KEY') },
    });
    expect(text + mcp.errors()).not.toContain(key);
  });

  it('takes no key as an argument and refuses unknown names of tools', async () => {
    const environment = environmentOf({ url: 'http://127.0.0.1:1', key: 'abc_dev_key' });
    expect(await run('mcp --key abc_dev_other', environment)).toMatchObject({ code: 2 });
    expect(await run('mcp --tools charges', environment)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('transparents'),
    });
  });
});

const TOOLS = allTools(readDocument());
const choose = (choice: Partial<Parameters<typeof chosenTools>[1]>) =>
  chosenTools(TOOLS, { allowsWrites: true, names: null, isDevMode: true, ...choice }).map(({ name }) => name);

function toolNamed(name: string): Tool {
  const tool = TOOLS.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

describe('the tools', () => {
  it('omits tools that change anything without --allow-writes', () => {
    const read = new Set(choose({ allowsWrites: false }));
    expect(TOOLS.filter(({ name, verb }) => read.has(name) !== (verb === 'GET'))).toEqual([]);
    for (const name of ['pix_send', 'payouts_create', 'transparents_refund', 'webhooks_test'])
      expect([read.has(name), choose({}).includes(name)]).toEqual([false, true]);
  });

  it('writes names and schemas that clients accept', () => {
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
    for (const { name, inputSchema } of TOOLS) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{1,62}$/);
      expect(new Set(Object.keys(inputSchema))).toEqual(new Set(['properties', 'required', 'type']));
      expect(JSON.stringify(inputSchema)).not.toContain('"$ref"');
      for (const required of inputSchema.required) expect(inputSchema.properties).toHaveProperty([required]);
    }
  });

  it('omits secrets, files and endless answers', () => {
    const names = choose({});
    for (const name of ['webhooks_create', 'webhooks_rotate_secret', 'invoices_pdf', 'events_stream'])
      expect(names).not.toContain(name);
  });

  it('omits simulations with a key of production', () => {
    const simulating = /^dev_|simulate_payment/;
    expect(choose({}).some((name) => simulating.test(name))).toBe(true);
    expect(choose({ isDevMode: false }).some((name) => simulating.test(name))).toBe(false);
  });

  it('allows each method of a charge with its fields', () => {
    const { inputSchema } = toolNamed('transparents_create');
    expect(inputSchema.required).toEqual(['method', 'data']);
    expect(inputSchema.properties).toMatchObject({
      method: { enum: ['PIX', 'BOLETO', 'CARD'] },
      data: { anyOf: [{}, {}, {}] },
    });
  });
});

async function serviceOf(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    api: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key: 'abc_dev_0123456789abcdef',
    },
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('a call', () => {
  const NEVER = new AbortController().signal;
  const charge = { method: 'PIX', data: { amount: 100 } };

  it('keeps its Idempotency-Key when a model repeats it after no answer', async () => {
    const keys: unknown[] = [];
    const answers: ('hang up' | { readonly status: number; readonly body: object })[] = [
      'hang up',
      { status: 503, body: { error: 'busy', code: 'TEMPORARILY_UNAVAILABLE' } },
      { status: 200, body: { data: { id: 'pix_char_1' } } },
    ];
    using service = await serviceOf((request, response) => {
      keys.push(request.headers['idempotency-key']);
      const answer = answers.shift() ?? { status: 200, body: { data: {} } };
      if (typeof answer === 'string') request.socket.destroy();
      else response.writeHead(answer.status).end(JSON.stringify(answer.body));
    });
    const calls = new ToolCalls(service.api);
    const create = () => calls.call(toolNamed('transparents_create'), charge, NEVER);
    const lost = await create();
    expect([lost.isError, JSON.parse(lost.text)]).toMatchObject([
      true,
      { code: 'NO_ANSWER', whatToDo: expect.stringContaining('same arguments') },
    ]);
    expect(await create()).toMatchObject({ isError: true });
    expect(await create()).toMatchObject({ isError: false });
    await create();
    const [first, second, third, fourth] = keys;
    expect([second, third]).toEqual([first, first]);
    expect(fourth).not.toBe(first);
  });

  it('asks for a smaller page if the objects are too long', async () => {
    const limits: number[] = [];
    using service = await serviceOf((request, response) => {
      const limit = Number(new URL(request.url ?? '', 'http://service').searchParams.get('limit'));
      limits.push(limit);
      const data = Array.from({ length: limit }, (_, index) => ({ index, note: 'x'.repeat(8_000) }));
      const pagination = { next: `after-${limit}`, hasMore: true };
      response.end(JSON.stringify({ data, pagination, success: true, error: null }));
    });
    const { text } = await new ToolCalls(service.api).call(toolNamed('transparents_list'), {}, NEVER);
    const { data, pagination } = JSON.parse(text);
    expect(text.length).toBeLessThan(40_000);
    expect(limits).toEqual([20, data.length]);
    expect(data.length).toBeGreaterThan(1);
    expect(pagination.next).toBe(`after-${data.length}`);
  });

  it.each([
    ['endless text', (write: (text: string) => void) => write('x'.repeat(10 * 1024 * 1024))],
    ['a page of a proxy', (write: (text: string) => void) => write('<html>Bad gateway</html>')],
  ])('reports %s as no answer', async (_, answer) => {
    using service = await serviceOf((_request, response) => {
      answer((text) => response.end(text));
    });
    const { text, isError } = await new ToolCalls(service.api).call(toolNamed('store_get'), {}, NEVER);
    expect([isError, JSON.parse(text).code]).toEqual([true, 'NO_ANSWER']);
    expect(text.length).toBeLessThan(1_000);
  });

  it('removes the key from what the service answers', async () => {
    using service = await serviceOf((request, response) => {
      response
        .writeHead(400)
        .end(JSON.stringify({ error: `bad ${request.headers.authorization}`, code: 'X' }));
    });
    const { text } = await new ToolCalls(service.api).call(toolNamed('store_get'), {}, NEVER);
    expect(text).toContain('bad Bearer [key]');
    expect(text).not.toContain(service.api.key);
  });
});
