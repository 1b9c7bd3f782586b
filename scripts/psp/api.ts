import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import type { BacenProfile } from '../../src/providers/bacen/profile.ts';
import { answerProblems } from './answer-problems.ts';
import { askedWebhook } from './asked-webhook.ts';
import type { Bank } from './bank.ts';
import { aroundRequest } from './faults/around.ts';
import { chargeAsSeen, paymentAsSeen, transferAsSeen } from './faults/as-seen.ts';
import { listedItems, perhapsMalformed } from './faults/listing.ts';
import type { Operation } from './faults/operations.ts';
import type { OwnActs } from './faults/own-acts.ts';
import { refuseDuplicate, seenUntil } from './faults/requests.ts';
import type { Faults } from './faults.ts';
import { addMandates } from './mandates/routes.ts';
import { pageOf } from './paging.ts';
import { Problem, refuseField } from './problem.ts';
import type { BankCharge, BankPayment, BankRefund, BankTransfer } from './state.ts';
import type { Tokens } from './tokens.ts';
import type { WebhookPoster } from './webhook-poster.ts';
import {
  presentCharge,
  presentListedCharge,
  presentPaidCode,
  presentPayment,
  presentRefund,
  presentTransfer,
  presentWebhook,
} from './wire.ts';

interface ApiDeps {
  readonly bank: Bank;
  readonly faults: Faults;
  readonly ownActs: OwnActs;
  readonly tokens: Tokens;
  readonly poster: WebhookPoster;
  readonly profile: BacenProfile;
  /** The paths below which the bank answers, as in production. */
  readonly basePath: string;
  readonly tokenPath: string;
  /** The headers and parameters that each request needs in addition to its token. */
  readonly required: Readonly<Record<'headers' | 'query', Readonly<Record<string, string>>>>;
  /** After each request that may have changed something. */
  readonly changed: () => void;
}

type Handler = (ctx: Context, body: Record<string, unknown>) => unknown;

/** API Pix over HTTP, in the dialect of a profile, with faults on command. */
export function createApi(deps: ApiDeps): Koa {
  const { bank, faults, ownActs, tokens, poster, profile, basePath } = deps;
  const router = new Router();
  const { paths, createdStatus, send } = profile;

  /** `request` is the name of the operation in fault plans: `PUT cob`. */
  const route = (request: Operation, path: string, handler: Handler) => {
    const [method = ''] = request.split(' ');
    router.register(`${basePath}${path}`, [method], async (ctx: Context, _next: Next) => {
      await answer(ctx, request, handler);
    });
  };

  const answer = async (ctx: Context, request: Operation, handler: Handler) => {
    ownActs.runDue();
    await aroundRequest(deps, ctx, request, async () => {
      requireFields(ctx, deps);
      if (!tokens.isValid(ctx.get('authorization'))) {
        ctx.status = 401;
        ctx.body = { error: 'invalid_token' };
        return;
      }
      const sent = await text(ctx.req);
      const body = handler(ctx, parsed(sent));
      ctx.body = (await body) ?? ctx.body;
      deps.changed();
    });
  };

  const charge = (request: Operation, made: BankCharge, payments: readonly BankPayment[] | null) => {
    const shown = presentCharge(made, profile, payments);
    const unknown = faults.take('UNKNOWN_STATUS', request);
    if (unknown !== null) shown.status = unknown.value;
    if (made.status === 'CONCLUIDA' && faults.take('CONCLUDED_WITHOUT_PIX', request)) delete shown.pix;
    return shown;
  };

  const issued = (request: Operation, made: BankCharge) => {
    const shorter = faults.take('SHORTEN_EXPIRY', request);
    if (shorter !== null) bank.shortenExpiry(made, shorter.seconds);
    ownActs.afterIssue(request, made);
    return charge(request, made, null);
  };

  for (const kind of ['cob', 'cobv'] as const) {
    const revision = kind === 'cob' ? paths.cobRevision : paths.cobvRevision;
    // Sicredi has version 3 only for single charges.
    const collection = paths[kind].replace('/v3/', '/v2/');
    route(`PUT ${kind}`, `${paths[kind]}/:txid`, (ctx, body) => {
      const txid = idOf(ctx, 'txid');
      if (bank.state.charges[txid] !== undefined) refuseDuplicate(faults, `PUT ${kind}`);
      ctx.status = createdStatus[kind];
      return issued(`PUT ${kind}`, bank.putCharge(kind, txid, body));
    });
    if (kind === 'cob')
      route('POST cob', collection, (ctx, body) => {
        ctx.status = 201;
        return issued('POST cob', bank.putCharge('cob', randomUUID().replaceAll('-', ''), body));
      });
    route(`GET ${kind}`, `${paths[kind]}/:txid`, (ctx) => {
      const there = bank.findCharge(kind, idOf(ctx, 'txid'));
      const until = seenUntil(bank, faults, 'LOOKUPS_LAG', `GET ${kind}`);
      const seen = chargeAsSeen(there, bank.paymentsOf(there.txid), until);
      if (seen === null) throw new Problem('CobNaoEncontrado', 'Cobrança não encontrada.');
      return charge(`GET ${kind}`, seen.charge, seen.payments);
    });
    route(`PATCH ${kind}`, `${revision}/:txid`, (ctx, body) => {
      if (faults.take('REFUSE_REMOVAL', `PATCH ${kind}`) !== null)
        throw new Problem('CobOperacaoInvalida', 'A cobrança não pode ser removida.');
      const made = bank.patchCharge(kind, idOf(ctx, 'txid'), body);
      const shown = charge(`PATCH ${kind}`, made, null);
      if (made.status !== 'ATIVA' && faults.take('PAID_WHILE_REMOVED', `PATCH ${kind}`) !== null)
        bank.pay(made.txid, { whateverItsStatus: true });
      return shown;
    });
    route(`GET ${kind}s`, collection, (ctx) => {
      const request = `GET ${kind}s` as const;
      const until = seenUntil(bank, faults, 'LISTINGS_LAG', request);
      const seen = Object.values(bank.state.charges)
        .filter((each) => each.kind === kind)
        .map((each) => chargeAsSeen(each, bank.paymentsOf(each.txid), until))
        .filter((each) => each !== null);
      const listed = listedItems(faults, request, seen, (each) => each.charge.txid);
      const { parametros, items } = pageOf(ctx, listed, (each) => each.charge.createdAt);
      const cobs = items.map((each) => presentListedCharge(each.charge, profile, each.payments));
      return { parametros, cobs: perhapsMalformed(faults, request, cobs) };
    });
  }

  route('GET pix', `${paths.pix}/:e2eid`, (ctx) => {
    const until = seenUntil(bank, faults, 'LOOKUPS_LAG', 'GET pix');
    const seen = paymentAsSeen(bank.findPayment(idOf(ctx, 'e2eid')), until);
    if (seen === null) throw new Problem('NaoEncontrado', 'Pix não encontrado.');
    return presentPayment(seen);
  });
  route('GET pixs', paths.pix, (ctx) => {
    const { txid, txId = txid, txIdPresente, devolucaoPresente } = ctx.query;
    const until = seenUntil(bank, faults, 'LISTINGS_LAG', 'GET pixs');
    const asked = Object.values(bank.state.payments)
      .map((each) => paymentAsSeen(each, until))
      .filter((each) => each !== null)
      .filter(
        (each) =>
          (txId === undefined || each.txid === txId) &&
          (txIdPresente !== 'true' || each.txid !== '') &&
          (devolucaoPresente !== 'true' || each.refunds.length > 0),
      );
    const listed = listedItems(faults, 'GET pixs', asked, ({ endToEndId }) => endToEndId);
    const { parametros, items } = pageOf(ctx, listed, ({ paidAt }) => paidAt);
    return { parametros, pix: perhapsMalformed(faults, 'GET pixs', items.map(presentPayment)) };
  });
  const refundPath = `${paths.pix}/:e2eid/devolucao/:id`;
  route('PUT refund', refundPath, (ctx, { valor }) => {
    const [endToEndId, id] = [idOf(ctx, 'e2eid'), idOf(ctx, 'id')];
    const payment = bank.findPayment(endToEndId);
    if (payment.refunds.some((each) => each.id === id)) refuseDuplicate(faults, 'PUT refund');
    ctx.status = createdStatus.refund;
    const fate: BankRefund['ends'] =
      faults.take('REFUND_FAILS', 'PUT refund') !== null
        ? 'NAO_REALIZADO'
        : faults.take('REFUND_HANGS', 'PUT refund') !== null
          ? 'ON_REQUEST'
          : 'DEVOLVIDO';
    const refund = bank.refund(endToEndId, id, String(valor), fate);
    const shown = presentRefund(refund);
    setImmediate(() => {
      bank.settleRefund(payment, refund);
      deps.changed();
    });
    return shown;
  });
  route('GET refund', refundPath, (ctx) => {
    const [endToEndId, id] = [idOf(ctx, 'e2eid'), idOf(ctx, 'id')];
    bank.findRefund(endToEndId, id);
    const until = seenUntil(bank, faults, 'LOOKUPS_LAG', 'GET refund');
    const seen = paymentAsSeen(bank.findPayment(endToEndId), until)?.refunds.find((each) => each.id === id);
    if (seen === undefined) throw new Problem('NaoEncontrado', 'Devolução não encontrada.');
    return presentRefund(seen);
  });

  route('PUT webhook', `${paths.webhook}/:chave`, async (ctx, { webhookUrl }) => {
    const webhook = askedWebhook(ctx, idOf(ctx, 'chave'), webhookUrl, { bank, profile });
    const { key, withoutCertificate } = webhook;
    if (profile.webhookWithoutCertificateHeader !== null) {
      const takesAnybody = await poster.isTaken({ ...webhook, withoutCertificate: true });
      if (!withoutCertificate && takesAnybody)
        refuseField('WebhookOperacaoInvalida', 'webhookUrl', 'A URL aceita quem não mostra o certificado.');
      if (!(await poster.isTaken(webhook)))
        refuseField('WebhookOperacaoInvalida', 'webhookUrl', 'A URL não respondeu ao teste.');
    }
    bank.state.webhooks[key] = webhook;
    return presentWebhook(webhook);
  });
  route('GET webhook', `${paths.webhook}/:chave`, (ctx) => presentWebhook(webhookOf(bank, ctx)));
  route('DELETE webhook', `${paths.webhook}/:chave`, (ctx) => {
    delete bank.state.webhooks[webhookOf(bank, ctx).key];
    ctx.status = 204;
  });
  route('GET webhooks', paths.webhook, (ctx) => {
    const usual = { inicio: new Date(0).toISOString(), fim: bank.now().toISOString() };
    const webhooks = Object.values(bank.state.webhooks);
    const { parametros, items } = pageOf(ctx, webhooks, ({ createdAt }) => createdAt, usual);
    return { parametros, webhooks: items.map(presentWebhook) };
  });

  if (profile.mandates !== null)
    addMandates({ bank, faults, profile, paths: profile.mandates, tokens, route });

  if (send !== null) {
    /** An id can be used only once, by either request. */
    const accept = (
      request: 'PUT transfer' | 'PUT qrcode',
      ctx: Context,
      make: (id: string) => BankTransfer,
    ) => {
      const id = idOf(ctx, 'id');
      if (bank.state.transfers[id] !== undefined) refuseDuplicate(faults, request);
      const transfer = make(id);
      ctx.status = 201;
      const fails = faults.take('TRANSFER_FAILS', request) !== null;
      setImmediate(() => {
        bank.settleTransfer(transfer, fails ? 'NAO_REALIZADO' : transfer.ends);
        deps.changed();
      });
      ownActs.afterTransfer(request, transfer);
      return transfer;
    };
    route('PUT transfer', `${send.order}/:id`, (ctx, body) =>
      presentTransfer(accept('PUT transfer', ctx, (id) => bank.send(id, body))),
    );
    if (send.orderByCode !== null) {
      const { path, scope } = send.orderByCode;
      route('PUT qrcode', path, (ctx, body) => {
        tokens.requireScope(scope);
        return presentPaidCode(accept('PUT qrcode', ctx, (id) => bank.sendByCode(id, body)));
      });
    }
    route('GET transfer', `${send.byReference}/:id`, (ctx) => {
      const until = seenUntil(bank, faults, 'LOOKUPS_LAG', 'GET transfer');
      const seen = transferAsSeen(bank.findTransfer(idOf(ctx, 'id')), until);
      if (seen === null) throw new Problem('NaoEncontrado', 'Envio não encontrado.');
      return presentTransfer(seen);
    });
    if (send.list !== null)
      route('GET transfers', send.list, (ctx) => {
        const { status } = ctx.query;
        const until = seenUntil(bank, faults, 'LISTINGS_LAG', 'GET transfers');
        const asked = Object.values(bank.state.transfers)
          .map((each) => transferAsSeen(each, until))
          .filter((each) => each !== null)
          .filter((each) => status === undefined || each.status === status);
        const listed = listedItems(faults, 'GET transfers', asked, ({ id }) => id);
        const { parametros, items } = pageOf(ctx, listed, ({ askedAt }) => askedAt);
        return { parametros, pix: perhapsMalformed(faults, 'GET transfers', items.map(presentTransfer)) };
      });
  }

  router.post(deps.tokenPath, async (ctx) => {
    await aroundRequest(deps, ctx, 'POST token', async () => tokens.give(ctx, await text(ctx.req)));
  });

  const app = new Koa();
  app.silent = true;
  app.use((ctx, next) => answerProblems(ctx, next, profile));
  app.use(router.routes());
  return app;
}

function idOf(ctx: Context, name: string): string {
  return (ctx.params as Record<string, string>)[name] ?? '';
}

function webhookOf(bank: Bank, ctx: Context) {
  const webhook = bank.state.webhooks[idOf(ctx, 'chave')];
  if (webhook === undefined) throw new Problem('NaoEncontrado', 'Webhook não encontrado.');
  return webhook;
}

function parsed(json: string): Record<string, unknown> {
  if (json === '') return {};
  let body: unknown = null;
  try {
    body = JSON.parse(json);
  } catch {
    // Refused below.
  }
  if (typeof body !== 'object' || body === null)
    throw new Problem('RequisicaoInvalida', 'O corpo não é um objeto JSON.');
  return body as Record<string, unknown>;
}

function requireFields(ctx: Context, { required, profile }: ApiDeps): void {
  const isThere = ([name, value]: [string, string], given: unknown) => {
    if (given !== value) throw new Problem('RequisicaoInvalida', `Falta ${name}.`);
  };
  for (const each of Object.entries(required.headers)) isThere(each, ctx.get(each[0]));
  for (const each of Object.entries(required.query)) isThere(each, ctx.query[each[0]]);
  const { correlationHeader } = profile;
  if (correlationHeader !== null && ctx.get(correlationHeader) === '')
    throw new Problem('RequisicaoInvalida', `Falta ${correlationHeader}.`);
}
