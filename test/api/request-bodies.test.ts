import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookEntity } from '../../src/database/entities/webhook.ts';
import type { CallOptions } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { webhookBody } from '../support/rows/build.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const create = (options: CallOptions) => app.api.call('/v2/webhooks/create', { method: 'POST', ...options });
const raw = (text: string) => create({ raw: text });

/** JSON text of a webhook with `field` put in as it is written. */
const withField = (field: string) => `${JSON.stringify(webhookBody()).slice(0, -1)},${field}}`;

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

describe('a body that is refused stores nothing', () => {
  it.each([
    ['text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json; charset=latin1', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/jsonp', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('refuses a body sent as %s', async (contentType, status, code) => {
    const answer = await create({ body: webhookBody(), headers: { 'Content-Type': contentType } });
    expect(answer).toMatchObject({ status, json: { data: null, success: false, code } });
  });

  it('refuses a compressed body', async () => {
    const answer = await create({ body: webhookBody(), headers: { 'Content-Encoding': 'gzip' } });
    expect(answer).toMatchObject({ status: 415, json: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  it.each([
    ['is cut off', '{"name": "x"'],
    ['is not JSON', 'name=x'],
    ['holds NaN', '{"name": NaN}'],
    ['has a comma too many', '{"name": "x",}'],
  ])('refuses a body that %s', async (_, text) => {
    expect(await raw(text)).toMatchObject({ status: 400, json: { code: 'MALFORMED_JSON' } });
  });

  it('refuses a body that is not UTF-8', async () => {
    const answer = await create({ raw: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) });
    expect(answer).toMatchObject({ status: 400, json: { code: 'MALFORMED_JSON' } });
  });

  it.each([
    ['a number that no double holds', withField('"meta": {"rate": 1e309}'), 'meta.rate'],
    ['a negative one', withField('"list": [0, -1e309]'), 'list[1]'],
    ['a NUL character', withField('"name": "a\\u0000b"'), 'name'],
    ['a lone surrogate', withField('"name": "\\ud800"'), 'name'],
    ['NUL in the name of a field', withField('"meta": {"a\\u0000": 1}'), 'meta'],
    ['__proto__', withField('"__proto__": {"name": "x"}'), 'body'],
    ['__proto__ further inside', withField('"meta": {"__proto__": {"admin": true}}'), 'meta'],
  ])('refuses a body with %s and names the field', async (_, text, path) => {
    const answer = await raw(text);
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR', issues: [{ path }] } });
    expect(answer.json.error).toMatch(new RegExp(`^${path.replace('[', '\\[')}: must`));
  });

  it('refuses an unknown field', async () => {
    const answer = await raw(withField('"colour": "red"'));
    expect(answer).toMatchObject({ status: 400, json: { error: 'colour: is not a known field' } });
  });

  it('refuses a body nested deeper than any real request', async () => {
    const answer = await raw(withField(`"meta": ${nested(100_000)}`));
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR' } });
  });

  it.each(['[]', '"text"', '1', 'null', 'true'])(
    'refuses the body %s because it is not an object',
    async (text) => {
      expect(await raw(text)).toMatchObject({
        status: 400,
        json: { code: 'VALIDATION_ERROR', error: 'body: must be an object' },
      });
    },
  );

  it.each([
    ['a name that is a number', { name: 1 }, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['no events', { events: [] }, 'events'],
    ['an unknown event', { events: ['transparent.completed', 'nope'] }, 'events[1]'],
    ['an empty secret', { secret: '' }, 'secret'],
  ])('refuses %s', async (_, changes, path) => {
    const answer = await create({ body: webhookBody(changes) });
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR', issues: [{ path }] } });
  });

  it('names all invalid fields of a body at once', async () => {
    const answer = await create({ body: { name: 1, colour: 'red' } });
    const paths = answer.json.issues?.map(({ path }) => path);
    expect(paths?.toSorted()).toEqual(['colour', 'endpoint', 'events', 'name', 'secret']);
  });

  afterAll(async () => {
    expect(await app.database.em.fork().count(WebhookEntity)).toBe(0);
  });
});

describe('a body over 1 MiB is refused with 413', () => {
  const tooLong = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });

  it('returns 413 for a body whose announced length is over 1 MiB', async () => {
    expect(await raw(tooLong)).toMatchObject({ status: 413, json: { code: 'BODY_TOO_LARGE' } });
  });

  it('returns 413 for a chunked body over 1 MiB', async () => {
    expect(await postChunked(tooLong)).toBe(413);
  });

  it('answers requests after refusing bodies that are too long', async () => {
    expect(await app.api.get('/healthz')).toMatchObject({ status: 200 });
  });
});

describe('what is wrong with a body', () => {
  const issuesOf = (body: object) => create({ body });

  it('returns at most 20 issues and the number of further ones', async () => {
    const wrong = Array.from({ length: 60 }, (_, index) => `event.${index}`);
    const answer = await issuesOf(webhookBody({ events: wrong }));
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR', moreIssues: 40 } });
    expect(answer.json.issues).toHaveLength(20);
  });

  it('combines query and body issues and names the rule of each', async () => {
    const events = Array.from({ length: 20 }, (_, index) => `event.${index}`);
    const { secret: _, ...body } = webhookBody({ name: 7, endpoint: '', events, colour: 'red' });
    const answer = await app.api.post('/v2/webhooks/create?serach=x', body);
    expect(answer.status).toBe(400);
    expect(answer.json.issues).toHaveLength(20);
    expect(answer.json.moreIssues).toBe(5);
    expect(answer.json.issues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'serach', rule: 'UNKNOWN_FIELD' }),
        expect.objectContaining({ path: 'name', rule: 'WRONG_TYPE' }),
        expect.objectContaining({ path: 'secret', rule: 'REQUIRED' }),
        expect.objectContaining({ path: 'events[0]', rule: 'WRONG_VALUE' }),
      ]),
    );
  });

  it('refuses 349 000 invalid values with a short response and little memory', async () => {
    const text = `{"events":[${Array(349_000).fill('""').join(',')}]}`;
    const before = process.memoryUsage().rss;
    const answer = await raw(text);
    expect(answer).toMatchObject({ status: 400, json: { error: 'body: must have at most 20000 values' } });
    expect(answer.text.length).toBeLessThan(1_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('repeats no name at its full length', async () => {
    const name = 'n'.repeat(1_000_000);
    for (const body of [{ [name]: 1 }, { meta: { [name]: '\0' } }]) {
      const answer = await issuesOf(body);
      expect(answer.status).toBe(400);
      expect(answer.text.length).toBeLessThan(2_000);
    }
    const many = Array.from({ length: 1_500 }, (_, index) => `p${index}`).join('&');
    const answer = await app.api.get(`/webhooks/list?${many}`);
    expect(answer.json.issues).toHaveLength(20);
  });
});

describe('a body that breaks off in the middle', () => {
  it.each([
    ['at once, while its key is looked up', 0],
    ['a moment later, while it is read', 300],
  ])('logs a body broken off %s as status 400, without an error', async (_, afterMs) => {
    const requestId = `broken-off-${afterMs}`;
    const sending = httpRequest(`${app.api.url}/webhooks/create`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': '1000',
        Authorization: `Bearer ${app.api.key}`,
        'X-Request-Id': requestId,
      },
    });
    sending.on('error', () => undefined);
    sending.write('{"name":', () => setTimeout(() => sending.destroy(), afterMs));
    const lines = () => app.logged.filter((line) => line.clientRequestId === requestId);
    await eventually(() =>
      expect(lines()).toEqual([expect.objectContaining({ msg: 'request', status: 400 })]),
    );
  });
});

describe('a content type of 15 000 blanks', () => {
  it.each([
    `application/json${' '.repeat(15_000)}x`,
    `application/json;charset=utf-8${' '.repeat(15_000)};x`,
  ])('returns 415 for a content type with 15 000 blanks', async (contentType) => {
    const answer = await create({ body: webhookBody(), headers: { 'Content-Type': contentType } });
    expect(answer).toMatchObject({ status: 415 });
  });
});

describe('a body is accepted', () => {
  it('accepts UTF-8 charsets in any spelling', async () => {
    for (const type of [
      'application/json; charset=UTF-8',
      'Application/JSON ; charset = "utf-8" ;',
      'application/json;',
    ]) {
      const headers = { 'Content-Type': type };
      expect(await create({ body: webhookBody(), headers })).toMatchObject({ status: 200 });
    }
  });

  it('uses the last of two values for one field', async () => {
    const answer = await raw(withField('"name": "the last"'));
    expect(answer).toMatchObject({ status: 200, json: { data: { name: 'the last' } } });
  });

  it('returns international text unchanged', async () => {
    const name = 'Açaí 🍇 \u202e "quoted" \\ \' ? $1 %';
    expect(await create({ body: webhookBody({ name }) })).toMatchObject({
      status: 200,
      json: { data: { name } },
    });
  });

  it('treats an empty body as an object without fields', async () => {
    const answer = await create({ method: 'POST' });
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR' } });
  });
});

describe('a query', () => {
  it('refuses unknown query parameters and names the known ones', async () => {
    expect(await app.api.get('/webhooks/list?serach=x&utm_source=y')).toMatchObject({
      status: 400,
      json: {
        error:
          'serach: is not a known query parameter; known are search, id, createdFrom, createdTo, limit, after, before',
        issues: [{ path: 'serach' }, { path: 'utm_source' }],
      },
    });
    expect(await app.api.get('/store/get?x=1')).toMatchObject({
      status: 400,
      json: { error: 'x: is not a known query parameter; there are none here' },
    });
  });

  it('refuses thousands of query parameters within half a second of CPU time', async () => {
    for (const query of ['a=&'.repeat(4_000), Array.from({ length: 3_000 }, (_, index) => index).join('&')]) {
      const before = process.threadCpuUsage();
      expect(await app.api.get(`/webhooks/list?${query}`)).toMatchObject({ status: 400 });
      expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
    }
  });

  it.each(['page=1', 'page=&offset=', 'cursor=', 'page=1&offset=0&limit=5'])(
    'takes a first page as published clients ask for it: %s',
    async (query) => {
      expect((await app.api.get(`/webhooks/list?${query}`)).status).toBe(200);
    },
  );

  it.each([
    ['a limit with an exponent', 'limit=1e1', 'limit'],
    ['a limit in hexadecimal', 'limit=0x10', 'limit'],
    ['a limit after a blank', 'limit=%201', 'limit'],
    ['a limit with a decimal', 'limit=1.0', 'limit'],
    ['a limit with a sign', 'limit=%2B5', 'limit'],
    ['an empty limit', 'limit=', 'limit'],

    ['NUL in a filter', 'search=a%00b', 'search'],
    ['a parameter sent twice', 'id=a&id=b', 'id'],
    ['a limit of 0', 'limit=0', 'limit'],
    ['a limit of 101', 'limit=101', 'limit'],
    ['a second page by number', 'page=2', 'page'],
    ['a page by offset', 'offset=50', 'offset'],
    ['a start that is no day', 'startDate=2026-02-30', 'startDate'],
    ['an end with a time', 'endDate=2026-02-03T10:00:00Z', 'endDate'],
    ['days in the wrong order', 'startDate=2026-02-03&endDate=2026-02-01', 'startDate'],
    ['a start under two names', 'startDate=2026-02-03&createdFrom=2026-02-01', 'startDate'],
    ['a limit that is no number', 'limit=ten', 'limit'],
  ])('returns 400 naming the parameter for %s', async (_, query, path) => {
    const answer = await app.api.get(`/webhooks/list?${query}`);
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR', issues: [{ path }] } });
  });
});

function postChunked(text: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${app.api.key}` };
    const sending = httpRequest(`${app.api.url}/webhooks/create`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sending.on('error', reject);
    for (let at = 0; at < text.length; at += 65_536) sending.write(text.slice(at, at + 65_536));
    sending.end();
  });
}
