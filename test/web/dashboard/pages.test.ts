import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey } from '../../../src/api/keys/api-keys.ts';
import { noteAttention } from '../../../src/database/attention.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { SessionEntity } from '../../../src/database/entities/session.ts';
import { StoreEntity } from '../../../src/database/entities/store.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import { ATTENTION, type AttentionKind } from '../../../src/domain/attention.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../../src/domain/billing-settings.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import { DEFAULT_PORTAL_SETTINGS } from '../../../src/domain/portal-settings.ts';
import { DEFAULT_REMINDER_SETTINGS } from '../../../src/domain/reminders.ts';
import { can, ROLES, type Role } from '../../../src/domain/role.ts';
import { csrfTokenOf } from '../../../src/identity/csrf-token.ts';
import { hashPassword } from '../../../src/identity/password.ts';
import { TEST_CARDS } from '../../../src/providers/sandbox/sandbox-cards.ts';
import { billingSettingsOf } from '../../../src/stores/billing-settings.ts';
import { portalSettingsOf } from '../../../src/stores/portal-settings.ts';
import { reminderSettingsOf } from '../../../src/stores/reminder-settings.ts';
import { FIELD_WORDS } from '../../../src/web/dashboard/frame/refusal-words.ts';
import { DASHBOARD_ROUTES } from '../../../src/web/dashboard/routes.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createTestStore } from '../../support/api/app.ts';
import { listen as listenTo } from '../../support/api/event-stream.ts';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import {
  DashboardUser,
  enterBy,
  givePassword,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { startWebhookSink, type WebhookSink } from '../../support/outside/webhook-sink.ts';
import { insertProduct } from '../../support/rows/checkout-rows.ts';
import { eventually } from '../../support/waiting/eventually.ts';

const SCRIPT = '<script>alert(1)</script>';

let app: MoneyApp;
let sink: WebhookSink;
let people: Record<Role, DashboardUser>;
beforeAll(async () => {
  [app, sink] = await Promise.all([createMoneyApp(), startWebhookSink()]);
  const entries = ROLES.map(async (role) => [role, await person(role)] as const);
  people = Object.fromEntries(await Promise.all(entries)) as Record<Role, DashboardUser>;
  const change = { passwordHash: await hashPassword(PASSWORD), name: SCRIPT };
  await em().nativeUpdate(UserEntity, {}, change);
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});

const em = () => app.database.em.fork();
const at = (path: string, environment = 'dev') => `/dashboard/${app.storeId}/${environment}${path}`;
const person = (role: Role, email = `${role}@example.com`) =>
  signedIn({ url: app.api.url, database: app.database }, app.storeId, role, email);
const linesOf = (action: string) => em().find(AuditLineEntity, { action }, { orderBy: { id: 'asc' } });

/** Every address of a route, with ids that do not exist. */
function pathsOf(path: string): string {
  return path === '/' ? '' : path.replace(/:\w+/g, 'none_0');
}

describe('every page and form', () => {
  const forms = DASHBOARD_ROUTES.filter(({ method }) => method === 'POST').map(({ path }) => path);

  it.each(forms)('refuses the form without its submission id: %s', async (path) => {
    const csrf = csrfTokenOf(people.owner.cookie('recebe_session') ?? '');
    const before = await em().count(AuditLineEntity);
    for (const submission of [{}, { submission: '' }, { submission: 'x'.repeat(65) }]) {
      const answer = await people.owner.post(at(pathsOf(path)), { csrf, ...submission });
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('número de envio') });
    }
    expect(await em().count(AuditLineEntity)).toBe(before);
  });

  it.each(ROLES)('allows the role %s exactly what the table of roles lists', async (role) => {
    const dashboardUser = people[role];
    const csrf = csrfTokenOf(dashboardUser.cookie('recebe_session') ?? '');
    for (const { method, path, action, devModeOnly } of DASHBOARD_ROUTES) {
      const isAllowed = can(role, action);
      const address = at(pathsOf(path));
      const answer =
        method === 'GET'
          ? await dashboardUser.get(address)
          : isAllowed
            ? // A form without the token of its session is refused for every role.
              await dashboardUser.post(address, { csrf: 'x' })
            : await dashboardUser.post(address, { csrf });
      const seen = `${role} ${method} ${path}: ${answer.status}`;
      const expected = isAllowed && method === 'GET' ? /: (200|303|404)$/ : /: 403$/;
      expect(seen).toMatch(expected);
      if (devModeOnly && method === 'GET')
        expect((await dashboardUser.get(at(pathsOf(path), 'prod'))).status).toBe(404);
    }
  });

  it("returns 404 for another store's page and redirects anonymous users to sign-in", async () => {
    const other = await createTestStore(app.database);
    const csrf = csrfTokenOf(people.owner.cookie('recebe_session') ?? '');
    for (const { method, path } of DASHBOARD_ROUTES) {
      const address = `/dashboard/${other.id}/dev${pathsOf(path)}`;
      const send = (dashboardUser: DashboardUser) =>
        method === 'GET' ? dashboardUser.get(address) : dashboardUser.post(address, { csrf });
      expect(`${path} ${(await send(people.owner)).status}`).toBe(`${path} 404`);
      expect(await send(new DashboardUser(app.api.url))).toMatchObject({
        status: 303,
        location: expect.stringMatching(/^\/dashboard\/sign-in/),
      });
    }
  });
});

describe('keys', () => {
  const fields = { description: `Loja ${SCRIPT}`, permissions: ['WEBHOOK:READ', 'STORE:READ'] };

  it('creates a key with the chosen permissions, shows it once and revokes it', async () => {
    const made = await people.developer.submit(at('/keys/new'), at('/keys/new'), fields);
    const [keyText = ''] = /abc_dev_[\w-]{43}/.exec(made.text) ?? [];
    const api = app.api.as(keyText);
    expect((await api.get('/v2/webhooks/list')).status).toBe(200);
    expect((await api.get('/v2/transparents/list')).status).toBe(403);
    const list = await people.developer.get(at('/keys'));
    expect(list.html).not.toContain(keyText);
    expect(list.text).toContain(`…${keyText.slice(-4)}`);
    const [, revoke = ''] =
      /href="([^"]*\/revoke)"/.exec(list.html.slice(list.html.indexOf(keyText.slice(-4)))) ?? [];
    expect(await people.developer.submit(revoke, revoke)).toMatchObject({ status: 303 });
    expect((await api.get('/v2/webhooks/list')).status).toBe(401);
    const [line] = await linesOf('keys/create');
    expect(line).toMatchObject({
      role: 'developer',
      devMode: true,
      storeId: app.storeId,
      address: '127.0.0.x',
    });
    expect(await linesOf('keys/revoke')).toMatchObject([{ subjectId: line?.subjectId }]);
  });

  it('allows only owners to change production keys, after their password', async () => {
    expect((await people.developer.get(at('/keys', 'prod'))).status).toBe(200);
    expect((await people.developer.get(at('/keys/new', 'prod'))).status).toBe(403);
    const path = at('/keys/new', 'prod');
    for (const password of ['', 'uma senha qualquer'])
      expect((await people.owner.submit(path, path, { ...fields, password })).status).toBe(422);
    const made = await people.owner.submit(path, path, { ...fields, password: PASSWORD });
    expect(made.text).toMatch(/abc_prod_[\w-]{43}/);
    const [, limits = ''] =
      /href="([^"]*\/limits)"/.exec((await people.owner.get(at('/keys', 'prod'))).html) ?? [];
    expect((await people.developer.get(limits)).status).toBe(403);
    const change = { allowedNetworks: '192.0.2.7' };
    expect((await people.owner.submit(limits, limits, { ...change, password: '' })).status).toBe(422);
    expect((await people.owner.submit(limits, limits, { ...change, password: PASSWORD })).status).toBe(303);
  });

  it('limits keys to reading, an expiry and networks, also after creation', async () => {
    const made = await people.developer.submit(at('/keys/new'), at('/keys/new'), {
      description: 'Relatórios',
      kind: 'read-only',
      permissions: PERMISSIONS,
      expiresAt: '2099-05-31T12:30',
      allowedNetworks: '127.0.0.0/8\n2001:DB8::/32',
    });
    const [keyText = ''] = /abc_dev_[\w-]{43}/.exec(made.text) ?? [];
    const api = app.api.as(keyText);
    expect((await api.get('/v2/webhooks/list')).status).toBe(200);
    expect((await api.post('/v2/webhooks/create', {})).json.code).toBe('READ_ONLY_KEY');
    const page = await people.developer.get(`${at('/keys')}?lang=pt-BR`);
    expect(page.text).toMatch(/Só leitura vence 31\/05\/2099, 12:30 de 2 endereços ou redes/);
    const [, path = ''] =
      /href="([^"]*\/limits)"/.exec(page.html.slice(page.html.indexOf(keyText.slice(-4)))) ?? [];
    const form = await people.developer.get(path);
    expect(form.html).toContain('value="2099-05-31T12:30"');
    expect(form.html).toContain('>127.0.0.0/8\n2001:db8::/32</textarea>');
    const limits = { expiresAt: '2099-05-31T12:30', allowedNetworks: '192.0.2.7' };
    expect(await people.developer.submit(path, path, limits)).toMatchObject({ status: 303 });
    expect((await api.get('/v2/webhooks/list')).json.code).toBe('ADDRESS_NOT_ALLOWED');
    expect((await people.developer.get(at('/keys'))).text).toContain('127.0.0.x');
    const line = (await linesOf('keys/limit')).at(-1);
    expect(line?.details).toBe(
      '{"readOnly":true,"expiresAt":"2099-05-31T15:30:00.000Z","allowedNetworks":["192.0.2.7"]}',
    );
  });

  it.each([
    [{ expiresAt: '2020-01-01T00:00' }, 'Escolha um instante no futuro'],
    [{ expiresAt: 'amanhã' }, 'Escreva dia e hora'],
    [{ allowedNetworks: '127.0.0.1, casa' }, '“casa” não é endereço nem rede'],
    [{ allowedNetworks: '192.0.2.7/24' }, '192.0.2.0/24'],
    [{ allowedNetworks: '::/0' }, 'deixe vazio'],
    [{ kind: 'read-only', permissions: ['REFUND:CREATE'] }, 'termine em READ'],
  ])('refuses a key with %j and says why', async (wrong, why) => {
    const path = `${at('/keys/new')}?lang=pt-BR`;
    const answer = await people.developer.submit(path, at('/keys/new'), { ...fields, ...wrong });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(why)]);
  });

  it('shows expired keys as such and returns 404 for their limits', async () => {
    const { key } = await createKey(
      em(),
      {
        storeId: app.storeId,
        devMode: true,
        description: 'Antiga',
        permissions: PERMISSIONS,
        expiresAt: new Date('2026-01-01T12:00:00Z'),
      },
      new Date('2025-01-01T12:00:00Z'),
    );
    const page = await people.developer.get(at('/keys'));
    expect(page.text).toMatch(/Antiga .*venceu .*Vencida/);
    expect(page.html).not.toContain(`/keys/${key.id}/limits`);
    expect((await people.developer.get(at(`/keys/${key.id}/limits`))).status).toBe(404);
    expect((await people.developer.get(at(`/keys/${key.id}/revoke`))).status).toBe(200);
  });

  it('creates one key from a form that is sent twice or in parallel', async () => {
    const page = await people.owner.get(at('/keys/new'));
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
    const before = (await linesOf('keys/create')).length;
    const send = () => people.owner.post(at('/keys/new'), { ...fields, csrf, submission: 'the same' });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 303, 303]);
    expect((await send()).status).toBe(303);
    expect(await linesOf('keys/create')).toHaveLength(before + 1);
  });
});

describe('webhooks', () => {
  it('creates, tests, shows, disables, enables, rotates and deletes a webhook', async () => {
    const endpoint = sink.endpoint();
    const [developer, make] = [people.developer, at('/webhooks/new')];
    expect((await developer.submit(make, make, { name: 'x', endpoint: 'nowhere', events: [] })).status).toBe(
      422,
    );
    const events = ['transparent.completed'];
    const made = await developer.submit(make, make, {
      name: SCRIPT,
      endpoint: endpoint.url,
      secret: 'um segredo',
      events,
    });
    const own = made.location ?? '';
    const press = (name: string, fields = {}) => developer.submit(own, `${own}/${name}`, fields);

    expect(await press('test', { event: 'transparent.completed' })).toMatchObject({ status: 303 });
    await eventually(() => expect(endpoint.received).toHaveLength(1));
    const page = await eventually(async () => {
      const shown = await developer.get(own);
      expect(shown.text).toMatch(/transparent\.completed [^A-Z]* Entregue/);
      return shown;
    });
    const [, delivery = ''] = /href="([^"]*\/deliveries\/[^"]*)"/.exec(page.html) ?? [];
    const shown = await people.support.get(delivery);
    expect(shown.html).toContain('&quot;sample&quot;: true');
    expect(await people.support.submit(delivery, `${delivery}/resend`)).toMatchObject({ status: 303 });
    await eventually(() => expect(endpoint.received).toHaveLength(2));

    expect(await press('disable')).toMatchObject({ status: 303 });
    expect((await developer.get(at('/webhooks'))).text).toContain('Desativado');
    expect(await developer.submit(`${own}/enable`, `${own}/enable`)).toMatchObject({ status: 303 });
    expect(await press('rotate-secret', { secret: 'outro segredo' })).toMatchObject({ status: 303 });
    expect(
      await developer.submit(`${own}/edit`, `${own}/edit`, {
        name: 'Pedidos',
        endpoint: endpoint.url,
        events,
      }),
    ).toMatchObject({ status: 303 });
    expect((await developer.get(own)).text).toContain('Pedidos');
    const range = { from: '2020-01-01T00:00', to: '2020-02-01T00:00', status: 'FAILED' };
    expect(await people.support.submit(own, `${own}/resend`, range)).toMatchObject({ status: 303 });
    expect(await press('delete')).toMatchObject({ status: 303, location: at('/webhooks') });
    expect((await developer.get(own)).status).toBe(404);
    const id = own.split('/').at(-1);
    const lines = await em().find(AuditLineEntity, { subjectId: id ?? '' }, { orderBy: { id: 'asc' } });
    expect(lines.map(({ action }) => action)).toEqual([
      'webhooks/create',
      'webhooks/test',
      'webhooks/update',
      'webhooks/update',
      'webhooks/rotate-secret',
      'webhooks/update',
      'webhooks/resend',
      'webhooks/delete',
    ]);
  });
});

it('says in words what each test card does', async () => {
  const { html } = await people.developer.get(at('/sandbox'));
  expect(html).toContain('aprovado depois que o pagador confirma no banco de teste');
  const outcomes = [...new Set(TEST_CARDS.values())].filter((outcome) =>
    html.includes(`<div>${outcome}</div>`),
  );
  expect(outcomes).toEqual([]);
});

it('names an open charge in the sandbox by its description', async () => {
  const data = { amount: 2600, description: 'Café especial', externalId: 'pedido-77' };
  await app.api.post('/v2/transparents/create', { method: 'PIX', data });
  const { text } = await people.developer.get(at('/sandbox'));
  expect(text).toContain('Café especial');
  expect(text).not.toContain('pedido-77');
});

it('pays and disputes a charge in the sandbox and records events', async () => {
  const { id } = dataOf<{ id: string }>(
    await app.api.post('/v2/transparents/create', {
      method: 'PIX',
      data: {
        amount: 2500,
        customer: { name: 'Maria das Dores', taxId: '529.982.247-25', email: 'maria@example.com' },
      },
    }),
  );
  const sandbox = (await people.developer.get(at('/sandbox'))).html;
  expect(sandbox).toMatch(
    new RegExp(
      `href="${at(`/payments/${id}`)}".*Pix.*Maria das Dores.*Cobrança pela API.*sandbox/pay/${id}`,
      's',
    ),
  );
  expect(await people.developer.submit(at('/sandbox'), at(`/sandbox/pay/${id}`))).toMatchObject({
    status: 303,
  });
  expect(dataOf(await app.api.get(`/v2/transparents/check?id=${id}`))).toMatchObject({ status: 'PAID' });
  /** The steps that the page offers for the payment. */
  const offered = async () => {
    const { html } = await people.developer.get(at('/sandbox'));
    return [...html.matchAll(/name="id" value="([^"]+)"><input type="hidden" name="step" value="([^"]+)"/g)]
      .filter(([, of]) => of === id)
      .map(([, , step]) => step);
  };
  const dispute = (step: string) =>
    people.developer.submit(at('/sandbox'), at('/sandbox/dispute'), { id, step });
  expect(await offered()).toEqual(['open']);
  expect(await dispute('open')).toMatchObject({ status: 303 });
  expect(await offered()).toEqual(['win', 'lose']);
  expect(dataOf(await app.api.get(`/v2/transparents/check?id=${id}`))).toMatchObject({
    status: 'UNDER_DISPUTE',
  });
  await dispute('win');
  await dispute('lose');
  // The dispute is already won, so the page explains the refusal.
  expect((await people.developer.get(at('/sandbox'))).html).toContain('flash--refused');
  const events = await people.support.get(at(`/events?subjectId=${id}`));
  const [, event = ''] = /href="([^"]*\/events\/[^"]*)"/.exec(events.html) ?? [];
  expect((await people.support.get(event)).html).toContain(id);
});

describe('live pages', () => {
  const payOne = async () => {
    const body = { method: 'PIX', data: { amount: 2500 } };
    const { id } = dataOf<{ id: string }>(await app.api.post('/v2/transparents/create', body));
    await app.api.post(`/v2/transparents/simulate-payment?id=${id}`, {});
    return id;
  };
  /** Opens the live stream as the page's script does, from the position that the first page gives. */
  async function listen(dashboardUser: DashboardUser) {
    const [, from, after] =
      /data-live="([^"]*)" data-live-after="([^"]*)"/.exec((await dashboardUser.get(at(''))).html) ?? [];
    const leaving = new AbortController();
    const response = await fetch(`${app.api.url}${from}?after=${after}`, {
      headers: { Cookie: `recebe_session=${dashboardUser.cookie('recebe_session')}` },
      signal: leaving.signal,
    });
    const stream = { status: response.status, text: '', hasEnded: false, leave: () => leaving.abort() };
    const read = async () => {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream() as never) ?? [])
        stream.text += chunk;
    };
    read()
      .catch(() => undefined)
      .finally(() => {
        stream.hasEnded = true;
      });
    return stream;
  }

  it('receives the names and subjects of events, and no more, until its session ends', async () => {
    const lia = await person('support', 'lia@example.com');
    const stream = await listen(lia);
    const id = await payOne();
    await eventually(() => expect(stream.text).toContain(`data: ["${id}"`));
    expect(stream.text).not.toMatch(/brCode|amount|transparent/);
    await lia.submit(at(''), at('/sign-out'));
    await eventually(() => expect(stream.hasEnded).toBe(true));
    expect((await lia.get(at('/live?after=0'))).location).toContain('/dashboard/sign-in');
  });

  it("shares ten live streams among a store's people, apart from those of programs", async () => {
    const eva = await person('support', 'eva@example.com');
    const all = await Promise.all(Array.from({ length: 11 }, () => listen(eva)));
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429]);
    using program = await listenTo(app.api);
    expect(program.hasEnded()).toBe(false);
    // A person with fewer tabs replaces the oldest tab of the person with the most.
    const owners = await Promise.all(Array.from({ length: 6 }, () => listen(people.owner)));
    expect(owners.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), 429]);
    await eventually(() =>
      expect(all.filter(({ status, hasEnded }) => status === 200 && hasEnded)).toHaveLength(5),
    );
    expect((await listen(eva)).status).toBe(429);
    for (const { leave } of [...all, ...owners]) leave();
  });

  it("keeps an owner's live stream while a member opens twelve tabs", async () => {
    const first = await listen(people.owner);
    const leo = await person('support', 'leo@example.com');
    const tabs = await Promise.all(Array.from({ length: 12 }, () => listen(leo)));
    expect(tabs.filter(({ status }) => status === 200)).toHaveLength(9);
    const id = await payOne();
    await eventually(() => expect(first.text).toContain(`data: ["${id}"`));
    expect(first.hasEnded).toBe(false);
    for (const { leave } of [first, ...tabs]) leave();
  });

  it('extends a session for page loads only, not for background requests', async () => {
    const ivo = await person('support', 'ivo@example.com');
    const { id } = await em().findOneOrFail(UserEntity, { email: 'ivo@example.com' });
    const seenAt = async () => (await em().findOneOrFail(SessionEntity, { userId: id })).lastSeenAt;
    const hoursAgo = new Date(Date.now() - 3_600_000);
    await em().nativeUpdate(SessionEntity, { userId: id }, { lastSeenAt: hoursAgo });
    expect((await ivo.get(at(''), { 'Sec-Fetch-Dest': 'empty' })).status).toBe(200);
    expect(await seenAt()).toEqual(hoursAgo);
    await ivo.get(at(''), { 'Sec-Fetch-Dest': 'document' });
    expect((await seenAt()).getTime()).toBeGreaterThan(hoursAgo.getTime());
  });
});

describe('the team', () => {
  it('adds invited members, changes roles and keeps one owner', async () => {
    const made = await people.owner.submit(at('/team'), at('/team/invite'), {
      email: 'Nova@Example.com',
      role: 'finance',
      password: PASSWORD,
    });
    const [, url = ''] = />(http[^<]*\/dashboard\/enter\/[^<]*)</.exec(made.html) ?? [];
    const nova = new DashboardUser(app.api.url);
    expect(await enterBy(nova, new URL(url).pathname, { name: SCRIPT, password: PASSWORD })).toMatchObject({
      status: 303,
    });
    expect((await nova.get(at('/team'))).status).toBe(403);
    const { id } = await em().findOneOrFail(UserEntity, { email: 'nova@example.com' });
    const own = at(`/team/${id}`);
    await people.owner.submit(own, `${own}/role`, { role: 'owner', password: PASSWORD });
    expect((await nova.get(at('/team'))).status).toBe(200);
    await people.owner.submit(`${own}/remove`, `${own}/remove`, { password: PASSWORD });
    expect((await nova.get(at(''))).status).toBe(404);

    const owner = await em().findOneOrFail(UserEntity, { email: 'owner@example.com' });
    const last = at(`/team/${owner.id}`);
    await people.owner.submit(`${last}/remove`, `${last}/remove`, { password: PASSWORD });
    expect((await people.owner.get(at('/team'))).text).toContain('pelo menos um dono');
  });

  it('keeps one owner if two remove each other in parallel', async () => {
    const other = await createTestStore(app.database);
    const fixture = { url: app.api.url, database: app.database };
    const pair = ['a@example.com', 'b@example.com'];
    const owners = await Promise.all(pair.map((email) => signedIn(fixture, other.id, 'owner', email)));
    const ids = await Promise.all(
      pair.map(async (email) => (await em().findOneOrFail(UserEntity, { email })).id),
    );
    await givePassword(app.database);
    const pages = ids.map((id) => `/dashboard/${other.id}/dev/team/${id}/remove`);
    const remove = (owner: DashboardUser, page = '') => owner.submit(page, page, { password: PASSWORD });
    await Promise.all(owners.map((owner, index) => remove(owner, pages[1 - index])));
    const left = await Promise.all(owners.map((owner) => owner.get(`/dashboard/${other.id}/dev/team`)));
    expect(left.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

describe('the account', () => {
  it('blocks password guesses even if a gateway limits addresses', async () => {
    const guesser = new DashboardUser(app.api.url);
    const guess = (password: string) =>
      guesser.post('/dashboard/sign-in', { email: 'finance@example.com', password, to: '' });
    for (let tried = 0; tried < 10; tried++)
      expect((await guess(`uma senha qualquer ${tried}`)).status).toBe(422);
    expect((await guess(PASSWORD)).status).toBe(429);
  });

  it('changes a known password and ends every other session', async () => {
    const [here, elsewhere] = await Promise.all([
      person('support', 'rui@example.com'),
      person('support', 'rui@example.com'),
    ]);
    const path = at('/account/password');
    // Someone who entered by a link has no password yet.
    expect(await here.submit(at('/account'), path, { newPassword: PASSWORD })).toMatchObject({ status: 303 });
    expect((await elsewhere.get(at('/account'))).status).toBe(303);
    const next = 'outra frase bem comprida';
    expect((await here.submit(at('/account'), path, { password: 'x', newPassword: next })).status).toBe(422);
    expect(await here.submit(at('/account'), path, { password: PASSWORD, newPassword: next })).toMatchObject({
      status: 303,
    });
    expect((await here.get(at('/account'))).status).toBe(200);
  });

  it('lists the sessions of an account and ends one of them', async () => {
    const [here, elsewhere] = await Promise.all([
      person('support', 'sol@example.com'),
      person('support', 'sol@example.com'),
    ]);
    const page = await here.get(at('/account'));
    const [, end = ''] = /action="([^"]*\/sessions\/[^"]*\/end)"/.exec(page.html) ?? [];
    expect(await here.submit(at('/account'), end)).toMatchObject({ status: 303 });
    expect((await elsewhere.get(at('/account'))).status).toBe(303);
    expect((await here.get(at('/account'))).status).toBe(200);
  });
});

describe('refused forms', () => {
  /** Page, form, fields, and the expected text in Portuguese and in English. */
  type Refused = readonly [
    string,
    string,
    Record<string, string | string[]>,
    portuguese: string,
    english: string,
  ];
  const webhook = {
    name: 'Pedidos',
    endpoint: 'nowhere',
    secret: 'x',
    events: ['checkout.completed'],
  };
  const coupon = { code: 'ÀS VEZES', discountKind: 'PERCENTAGE', discount: '10' };
  const refusals: readonly Refused[] = [
    ['/new-product', '/products', { name: '', price: '1,00' }, 'O nome deve ter', 'The name must have'],
    [
      '/new-product',
      '/products',
      { name: 'x', price: 'dez' },
      'Escreva um valor em reais',
      'Write an amount in reais',
    ],
    [
      '/new-product',
      '/products',
      { name: 'x', price: '1,00', externalId: 'taken' },
      'já está em uso',
      'already in use',
    ],
    [
      '/new-product',
      '/products',
      { name: 'x', price: '1.234' },
      'pode ser lido de duas formas',
      'can be read in two ways',
    ],
    [
      '/new-product',
      '/products',
      { name: '', price: 'dez', imageUrl: 'x' },
      'Escreva o endereço de uma imagem',
      'Write the address of a picture',
    ],
    ['/new-coupon', '/coupons', coupon, 'letras, números, - ou _', 'letters, digits, - or _'],
    ['/new-coupon', '/coupons', { ...coupon, code: 'A', discount: '101' }, 'até 100', 'up to 100'],
    ['/new-coupon', '/coupons', { ...coupon, code: 'A', maxRedeems: '0' }, 'quantos usos', 'how many uses'],
    ['/webhooks/new', '/webhooks/new', webhook, 'começar com https://', 'starts with https://'],
    [
      '/webhooks/new',
      '/webhooks/new',
      { ...webhook, events: [] },
      'pelo menos um evento',
      'one event at least',
    ],
    ['/new-checkout', '/checkouts', { quantity: '0', methods: 'PIX' }, 'A quantidade', 'The quantity'],
    [
      '/new-checkout',
      '/checkouts',
      { quantity: '1', methods: [] },
      'pelo menos um método',
      'one method at least',
    ],
    [
      '/new-checkout',
      '/checkouts',
      { quantity: '1', methods: ['BOLETO'] },
      'pelo menos R$ 3,00',
      'minimum for a boleto is R$ 3,00',
    ],
    ['/new-payout', '/payouts', { amount: '3,49' }, 'pelo menos R$ 3,50', 'at least R$ 3,50'],
    ['/new-payout', '/payouts', { amount: '90.000,00', password: PASSWORD }, 'não cobre', 'does not cover'],
    ['/sandbox', '/sandbox/dispute', { id: 'none_0', step: 'open' }, 'com este id', 'nothing with this id'],
    ['/payments?status=PAGO', '', {}, 'Escolha uma das opções', 'Choose one of the list'],
    ['/payments?after=x', '', {}, 'Comece a lista de novo', 'Start the list again'],
    ['/payments?createdFrom=ontem', '', {}, 'Escolha um dia', 'Choose a day'],
  ];

  it.each(['pt-BR', 'en'])('explains refusals in %s and says what would be right', async (lang) => {
    await em().nativeUpdate(StoreEntity, { id: app.storeId }, { taxId: '11222333000181' });
    const product = { externalId: 'taken', name: 'Café', price: 100, currency: 'BRL' };
    await app.api.post('/v2/products/create', product);
    const { owner } = people;
    await owner.get(at(`?lang=${lang}`));
    const productId =
      /<option value="(prod_\w+)"/.exec((await owner.get(at('/new-checkout'))).html)?.[1] ?? '';
    const texts: string[] = [];
    for (const [page, form, fields] of refusals) {
      const filled = { productId, frequency: 'ONE_TIME', externalId: 'own', password: PASSWORD, ...fields };
      const answer = form === '' ? await owner.get(at(page)) : await owner.submit(at(page), at(form), filled);
      texts.push((answer.location === null ? answer : await owner.get(answer.location)).text);
    }
    expect(texts).toEqual(
      refusals.map(([, , , portuguese, english]) =>
        expect.stringContaining(lang === 'en' ? english : portuguese),
      ),
    );
    if (lang === 'pt-BR') for (const text of texts) expect(text).not.toMatch(/ must | is required/);
    await owner.get(at('?lang=pt-BR'));
  });

  it('names every field of every form and filter', async () => {
    /** Fields of the dashboard itself, which the API does not have. */
    const own =
      /^(csrf|submission|password|newPassword|code|q|lang|description|permissions|step|role|kind|expiresAt|allowedNetworks|sheet|preset|overlap|eventVersion|eventGroups|state|paid-bar|mrr-bar)$/;
    const nameless = new Set<string>();
    for (const { method, path } of DASHBOARD_ROUTES) {
      if (method !== 'GET' || path.includes(':') || /^\/(settings|controls|team|account|audit)/.test(path))
        continue;
      const { html } = await people.owner.get(at(path === '/' ? '' : path));
      for (const [, name = ''] of html.matchAll(/<(?:input|select)[^>]* name="([^"]*)"/g))
        if (!own.test(name) && !(name in FIELD_WORDS)) nameless.add(`${path} ${name}`);
    }
    expect([...nameless]).toEqual([]);
  });
});

it("lets the owner change the store's profile and explains wrong values", async () => {
  const path = at('/settings');
  const own = {
    name: SCRIPT,
    city: 'SAO PAULO',
    taxId: '11.222.333/0001-81',
    supportEmail: 'ajuda@example.com',
  };
  const taxId = '11.222.333/0001-82';
  const wrong = await people.owner.submit(path, path, { ...own, taxId, city: '', website: 'loja' });
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('dígitos verificadores')]);
  const invalid = [...wrong.html.matchAll(/<input id="(\w+)"[^>]* aria-invalid="true"/g)];
  expect(invalid.map(([, field]) => field)).toEqual(['city', 'taxId', 'website']);
  expect(wrong.html).toContain(`value="${taxId}"`);
  expect(await people.owner.submit(path, path, own)).toMatchObject({ status: 303 });
  const store = await em().findOneOrFail(StoreEntity, { id: app.storeId });
  expect(store).toMatchObject({
    name: SCRIPT,
    taxId: '11222333000181',
    supportEmail: 'ajuda@example.com',
    website: null,
  });
});

it('lets the owner choose what payers can do in the portal, for each environment', async () => {
  const path = at('/settings/portal');
  const typed = {
    portalCancellation: 'NOW',
    portalUndo: 'no',
    portalPauseDays: '30',
    portalCard: 'yes',
    portalMethod: 'yes',
    portalDetails: 'yes',
    portalEmail: 'yes',
    portalRefund: 'yes',
  };
  const wrong = await people.owner.submit(path, path, {
    ...typed,
    portalCancellation: 'SOMETIMES',
    portalPauseDays: '367',
  });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('Escolha uma das opções');
  expect(wrong.text).toContain('de 1 a 366');
  const place = { storeId: app.storeId, devMode: true };
  expect(await portalSettingsOf(em(), place)).toEqual(DEFAULT_PORTAL_SETTINGS);
  expect(await people.owner.submit(path, path, typed)).toMatchObject({ status: 303 });
  const saved = {
    cancellation: 'NOW',
    undoesCancellation: false,
    longestPauseDays: 30,
    changesCard: true,
    changesMethod: true,
    changesDetails: true,
    changesEmail: true,
    asksForRefunds: true,
    offeredPlanIds: [],
    upgradesAtOnce: false,
  };
  expect(await portalSettingsOf(em(), place)).toEqual(saved);
  expect(await portalSettingsOf(em(), { ...place, devMode: false })).toEqual(DEFAULT_PORTAL_SETTINGS);
  const audit = await people.owner.get(at('/audit?action=settings/portal'));
  expect(audit.text).toContain('Cancelar uma assinatura: No fim do período pago, ou na hora');
});

it('lets the owner choose the plans that payers can change to', async () => {
  const { id: storeId } = await createTestStore(app.database);
  const owner = await signedIn(
    { url: app.api.url, database: app.database },
    storeId,
    'owner',
    'plans@example.com',
  );
  const path = `/dashboard/${storeId}/dev/settings/portal`;
  const place = { storeId, devMode: true };
  const shop = { database: app.database, storeId };
  const plans = await Promise.all(
    Array.from({ length: 21 }, () => insertProduct(shop, { name: 'Clube', cycle: 'MONTHLY' })),
  );
  const once = await insertProduct(shop, { name: 'Caneca' });
  const foreign = await insertProduct(app, { name: 'Alheio', cycle: 'MONTHLY' });
  const typed = {
    portalCancellation: 'NEVER',
    portalUndo: 'no',
    portalPauseDays: '',
    portalCard: 'no',
    portalRefund: 'no',
    portalUpgrades: 'yes',
  };
  const choose = (...chosen: readonly { readonly id: string }[]) =>
    owner.submit(path, path, { ...typed, portalPlans: chosen.map(({ id }) => id) });
  for (const wrong of [[once], [foreign], plans])
    expect(await choose(...wrong)).toMatchObject({
      status: 422,
      text: expect.stringContaining('Marque no máximo 20 planos da loja'),
    });
  expect(await portalSettingsOf(em(), place)).toEqual(DEFAULT_PORTAL_SETTINGS);
  const two = plans.slice(0, 2);
  expect(await choose(...two)).toMatchObject({ status: 303 });
  const saved = await portalSettingsOf(em(), place);
  expect(new Set(saved.offeredPlanIds)).toEqual(new Set(two.map(({ id }) => id)));
  expect(saved.upgradesAtOnce).toBe(true);
  const { html } = await owner.get(path);
  expect(html.match(/name="portalPlans" value="[^"]+" checked/g)).toHaveLength(2);
});

it('lets the owner choose how the store bills, for each environment', async () => {
  const path = at('/settings/billing');
  const typed = {
    billingDunningEnd: 'KEEP_PAST_DUE',
    billingMissedCycles: 'CHARGE',
    billingMailsInvoices: 'yes',
    billingMailsConsents: 'yes',
    billingMandateEnd: 'CODE',
  };
  const wrong = await people.owner.submit(path, path, { ...typed, billingDunningEnd: 'FORGIVE' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('Escolha uma das opções');
  const place = { storeId: app.storeId, devMode: true };
  expect(await billingSettingsOf(em(), place)).toEqual(DEFAULT_BILLING_SETTINGS);
  expect(await people.owner.submit(path, path, typed)).toMatchObject({ status: 303 });
  expect(await billingSettingsOf(em(), place)).toEqual({
    dunningEnd: 'KEEP_PAST_DUE',
    missedCycles: 'CHARGE',
    mailsInvoices: true,
    mailsConsents: true,
    mandateEnd: 'CODE',
  });
  expect(await billingSettingsOf(em(), { ...place, devMode: false })).toEqual(DEFAULT_BILLING_SETTINGS);
  const audit = await people.owner.get(at('/audit?action=settings/billing'));
  expect(audit.text).toContain('Enviar faturas pagas por e-mail aos pagadores: Sim');
});

it('lets the owner choose reminders, and shows each message in three languages', async () => {
  const path = at('/settings/reminders');
  const before = await people.owner.get(path);
  for (const text of [
    'Seu boleto vence em',
    'Your boleto is due today',
    'Su boleto venció el',
    'Your card expires on',
  ])
    expect(before.text).toContain(text);
  const typed = {
    ...{ reminderChannel: 'EMAIL', reminderSteps: '5, -2', reminderLanguage: 'es' },
    ...{ renewalChannel: 'WEBHOOK', renewalSteps: '-5', trialEndChannel: 'NONE', trialEndSteps: '-3' },
    ...{ pastDueChannel: 'EMAIL', pastDueSteps: '2, 1', cardExpiryChannel: 'NONE', cardExpirySteps: '-30' },
  };
  const wrong = await people.owner.submit(path, path, { ...typed, reminderSteps: '-2, amanhã' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('Escreva de 1 a 6 números inteiros de -30 a 60.');
  const late = await people.owner.submit(path, path, { ...typed, renewalSteps: '0', pastDueSteps: '0' });
  for (const limits of ['de -30 a -1', 'de 1 a 60'])
    expect(late.text).toContain(`Escreva de 1 a 6 números inteiros ${limits}.`);
  const place = { storeId: app.storeId, devMode: true };
  expect(await reminderSettingsOf(em(), place)).toEqual(DEFAULT_REMINDER_SETTINGS);
  expect(await people.owner.submit(path, path, typed)).toMatchObject({ status: 303 });
  expect(await reminderSettingsOf(em(), place)).toEqual({
    ...{ channel: 'EMAIL', steps: [-2, 5], language: 'es' },
    ofSubscriptions: {
      RENEWAL: { channel: 'WEBHOOK', steps: [-5] },
      TRIAL_END: { channel: 'NONE', steps: [-3] },
      PAST_DUE: { channel: 'EMAIL', steps: [1, 2] },
      CARD_EXPIRY: { channel: 'NONE', steps: [-30] },
    },
  });
  expect(await reminderSettingsOf(em(), { ...place, devMode: false })).toEqual(DEFAULT_REMINDER_SETTINGS);
  const after = await people.owner.get(path);
  for (const text of ['2 dias antes', '5 dias depois']) expect(after.text).toContain(text);
  const audit = await people.owner.get(at('/audit?action=settings/reminders'));
  expect(audit.text).toContain('Boletos em aberto: EMAIL -2, 5 · Próxima cobrança da assinatura: WEBHOOK -5');
});

describe('the audit log', () => {
  it('shows and exports what people did, and is never changed', async () => {
    const page = await people.owner.get(at('/audit?action=keys/create'));
    expect(page.text).toContain('developer@example.com');
    expect(page.text).not.toContain('keys/revoke');
    const file = await people.owner.get(at('/audit.csv'));
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect(file.html).toMatch(
      /^createdAt,email,role,action,subjectId,devMode,address,actorKind,keyId,keyDescription,operator,details,id,subjectEmail\r\n/,
    );
    expect(file.html.match(/settings\/update/g)).toHaveLength(1);
    for (const sql of [
      "update audit_lines set action = ''",
      'delete from audit_lines',
      'truncate audit_lines',
    ])
      await expect(em().execute(sql)).rejects.toThrow('stays as it was written down');
  });
});

it('escapes typed text on every page in both languages', async () => {
  for (const { method, path } of DASHBOARD_ROUTES) {
    if (method !== 'GET' || path.includes(':')) continue;
    for (const lang of ['pt-BR', 'en']) {
      const { html, headers } = await people.owner.get(
        `${at(path === '/' ? '' : path)}?lang=${lang}&x=${encodeURIComponent(SCRIPT)}`,
      );
      if (headers.get('content-type')?.startsWith('text/html') === true)
        expect(html).toContain(`<html lang="${lang}">`);
      // The Central Bank writes Pix; PIX is a value of the API.
      expect(html).not.toMatch(/>[^<]*\bPIX\b/);
      // Pages translate other values of the API as well.
      expect(html).not.toMatch(/<option[^>]*>(?:DELIVERED|PENDING|FAILED)|>card_declined/);
      expect(html.includes(SCRIPT) ? path : '').toBe(
        path.endsWith('.csv') && html.includes(SCRIPT) ? path : '',
      );
      expect(Buffer.byteLength(html)).toBeLessThan(100_000);
    }
  }
});

it("shows what needs attention on the first page in the reader's language", async () => {
  const now = new Date();
  const kinds = Object.keys(ATTENTION) as AttentionKind[];
  // The page shows the ten that have waited longest: the first ten kinds.
  for (const [index, kind] of kinds.entries()) {
    const since = new Date(now.getTime() - (kinds.length - index) * 1_000);
    await noteAttention(em(), { storeId: app.storeId, devMode: true, since, now, kind, subjectId: kind });
  }
  const [portuguese, english] = [
    await people.owner.get(at('?lang=pt-BR')),
    await people.owner.get(at('?lang=en')),
  ];
  expect(english.text).toContain(ATTENTION.RETURN_REFUSED.what);
  expect(portuguese.text).toContain('Precisa de atenção');
  for (const { what, why } of Object.values(ATTENTION)) {
    expect(portuguese.text).not.toContain(what);
    expect(portuguese.text).not.toContain(why);
  }
});

it('records every form that these tests have sent in the audit log', () => {
  const done = app.logged.filter(
    ({ method, route, status }) =>
      method === 'POST' && status === 303 && `${route}`.startsWith('/dashboard/:'),
  );
  expect(done.length).toBeGreaterThan(20);
  expect(app.logged.filter(({ msg }) => `${msg}`.includes('no line in the audit log'))).toEqual([]);
});
