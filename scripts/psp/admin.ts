import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { adminPage } from './admin-page.ts';
import type { Bank, PayOptions } from './bank.ts';
import type { OwnActs } from './faults/own-acts.ts';
import { FaultPlanError } from './faults/plan.ts';
import type { Faults, Ordered } from './faults.ts';
import { closed, listening } from './local-server.ts';
import { Problem } from './problem.ts';
import type { Tokens } from './tokens.ts';
import type { WebhookPoster } from './webhook-poster.ts';
import { codeOf } from './wire.ts';

interface AdminDeps {
  readonly bank: Bank;
  readonly faults: Faults;
  readonly ownActs: OwnActs;
  readonly tokens: Tokens;
  readonly poster: WebhookPoster;
  readonly changed: () => void;
  readonly refuseCertificates: (refuses: boolean) => void;
}

/**
 * The API that controls the bank, over plain HTTP on this machine. It lets payers pay and payers' banks reclaim payments,
 * settles refunds, moves the clock and orders faults. `GET /` is a page for people.
 */
export async function startAdmin(
  deps: AdminDeps,
  port: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { bank, faults, tokens } = deps;
  const router = new Router();
  const post = (path: string, act: (body: Record<string, unknown>, ctx: Context) => unknown) =>
    router.post(path, async (ctx) => {
      const sent = await text(ctx.req);
      ctx.body = act(sent === '' ? {} : (JSON.parse(sent) as Record<string, unknown>), ctx) ?? { ok: true };
      deps.changed();
    });
  const param = (ctx: Context, name: string) => (ctx.params as Record<string, string>)[name] ?? '';

  router.get('/', (ctx) => {
    ctx.type = 'html';
    ctx.body = adminPage(bank);
  });
  router.get('/state', (ctx) => {
    ctx.body = { ...bank.state, now: bank.now(), tokensGiven: tokens.givenCount };
  });
  post('/pay', ({ code, ...options }) => {
    const charge = Object.values(bank.state.charges).find((each) => codeOf(each) === code);
    if (charge === undefined) throw new Error('no charge has this code');
    return bank.pay(charge.txid, options as PayOptions);
  });
  post('/pay/:txid', (options, ctx) => bank.pay(param(ctx, 'txid'), options as PayOptions));
  post('/take-back/:e2eid', ({ kind, amountCents, underWay }, ctx) =>
    bank.takeBack(
      param(ctx, 'e2eid'),
      typeof kind === 'string' ? kind : 'MED_FRAUDE',
      amountCents as number | undefined,
      underWay === true ? 'ON_REQUEST' : 'DEVOLVIDO',
    ),
  );
  post('/settle/:e2eid/:id', ({ status }, ctx) => {
    const payment = bank.findPayment(param(ctx, 'e2eid'));
    const refund = bank.findRefund(payment.endToEndId, param(ctx, 'id'));
    bank.settleRefund(payment, refund, status === 'NAO_REALIZADO' ? status : 'DEVOLVIDO');
    return refund;
  });
  post('/notify/:e2eid', (_, ctx) => bank.notifyAgain(bank.findPayment(param(ctx, 'e2eid'))));
  post('/return-transfer/:id', ({ amountCents }, ctx) =>
    bank.returnTransfer(param(ctx, 'id'), amountCents as number | undefined),
  );
  post('/consent', ({ code, answer, ceilingCents }) => {
    const { idRec } = bank.mandates.mandateOfCode(String(code));
    const ceiling = ceilingCents === undefined ? {} : { ceilingCents: Number(ceilingCents) };
    return bank.mandates.answerConsent(idRec, answer !== 'REFUSE', ceiling);
  });
  post('/cancel-mandate/:idRec', (_, ctx) => bank.mandates.cancelAtPayersBank(param(ctx, 'idRec')));
  post('/balance/:idRec', ({ hasBalance }, ctx) => {
    bank.mandates.findMandate(param(ctx, 'idRec')).hasBalance = hasBalance !== false;
  });
  post('/clock', ({ advanceMs }) => {
    bank.state.clockAheadMs += Number(advanceMs) || 0;
    deps.ownActs.runDue();
    deps.poster.repeatDue();
    return { now: bank.now() };
  });
  post('/remove/:txid', (_, ctx) => bank.removeCharge(param(ctx, 'txid')));
  router.get('/faults', (ctx) => {
    ctx.body = faults.report();
  });
  post('/faults', (ordered) =>
    'rules' in ordered ? faults.follow(ordered) : faults.order(ordered as unknown as Ordered),
  );
  post('/faults/clear', () => faults.clear());
  post('/certificates', ({ refuse }) => deps.refuseCertificates(refuse === true));

  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof FaultPlanError) {
        ctx.status = 422;
        ctx.body = { error: error.message, fields: error.fields };
        return;
      }
      ctx.status = error instanceof Problem ? error.status : 409;
      ctx.body = { error: error instanceof Error ? error.message : String(error) };
    }
  });
  app.use(router.routes());
  const listener = app.callback();
  const server = createServer((request, response) => void listener(request, response));
  await listening(server, port);
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => closed(server),
  };
}
