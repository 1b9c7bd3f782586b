import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startAdmin } from '../../scripts/psp/asaas/admin.ts';
import { API_KEY, AsaasBox } from '../../scripts/psp/asaas/asaas-box.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';

let box: AsaasBox;
let admin: Awaited<ReturnType<typeof startAdmin>>;
beforeAll(async () => {
  box = await new AsaasBox().open();
  admin = await startAdmin(box, 0);
});
afterAll(async () => {
  await Promise.all([admin.close(), box.close()]);
});

async function ask(method: string, path: string, body?: unknown) {
  const answer = await fetch(box.url + path, {
    method,
    headers: { access_token: API_KEY, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

async function command(path: string, body: unknown = {}) {
  const answer = await fetch(admin.url + path, { method: 'POST', body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

async function issued(more: object = {}): Promise<string> {
  const customer = await ask('POST', '/v3/customers', { name: 'Maria', cpfCnpj: '52998224725' });
  const dueDate = saoPauloDateOf(box.books.now());
  const terms = { customer: customer.body.id, billingType: 'BOLETO', value: 100, dueDate };
  return (await ask('POST', '/v3/payments', { ...terms, ...more })).body.id;
}

it('lets a payer pay a late boleto with the fine and the interest of its days', async () => {
  const id = await issued({ fine: { value: 2 }, interest: { value: 1 } });
  await command('/clock', { advanceMs: 10 * 86_400_000 });
  expect((await ask('GET', `/v3/payments/${id}`)).body.status).toBe('OVERDUE');
  expect(await command(`/pay/${id}`, { atBank: true })).toMatchObject({ body: { paid: true } });
  expect((await ask('GET', `/v3/payments/${id}`)).body).toMatchObject({
    status: 'RECEIVED',
    value: 102.33,
    originalValue: 100,
    interestValue: 2.33,
    clientPaymentDate: addDays(saoPauloDateOf(new Date()), 10),
  });
  expect(await command(`/pay/${id}`)).toMatchObject({ body: { paid: false } });
});

it('refuses a boleto after its last day, and a removal after its payment', async () => {
  const late = await issued({ daysAfterDueDateToRegistrationCancellation: 0 });
  await command('/clock', { advanceMs: 86_400_000 });
  expect(await command(`/pay/${late}`)).toMatchObject({ body: { paid: false } });
  const paid = await issued();
  await command(`/pay/${paid}`);
  expect(await ask('DELETE', `/v3/payments/${paid}`)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'invalid_action' }] },
  });
});

it('hangs after the effect, and answers as a busy gateway, as ordered', async () => {
  await command('/faults', { on: 'GET /v3/customers', fault: { kind: 'STATUS', status: 503 }, times: 1 });
  expect((await ask('GET', '/v3/customers')).status).toBe(503);
  await command('/faults', { on: 'POST /v3/customers', fault: { kind: 'HANG_AFTER_EFFECT' }, times: 1 });
  const before = box.books.customers.size;
  const hanging = fetch(`${box.url}/v3/customers`, {
    method: 'POST',
    headers: { access_token: API_KEY },
    body: JSON.stringify({ name: 'Caio', cpfCnpj: '15350946056' }),
    signal: AbortSignal.timeout(500),
  });
  await expect(hanging).rejects.toThrow();
  expect(box.books.customers.size).toBe(before + 1);
});

it('names what is wrong with a rule, and forgets all rules', async () => {
  expect(await command('/faults', { on: 'webhook', fault: { kind: 'NOTHING' } })).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('fault') },
  });
  await command('/faults', { on: 'GET', fault: { kind: 'STATUS', status: 500 } });
  await command('/faults/clear');
  expect((await ask('GET', '/v3/customers')).status).toBe(200);
});

it('shows payments on a page and as JSON, and refuses an unknown key', async () => {
  const id = await issued();
  expect(await (await fetch(admin.url)).text()).toContain(id);
  const { payments } = (await (await fetch(`${admin.url}/state`)).json()) as { payments: { id: string }[] };
  expect(payments.map((payment) => payment.id)).toContain(id);
  const unknown = await fetch(`${box.url}/v3/payments`, { headers: { access_token: 'another' } });
  expect(unknown.status).toBe(401);
});
