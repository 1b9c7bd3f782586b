import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import type { BacenProfile } from '../../src/providers/bacen/profile.ts';
import type { Bank } from './bank.ts';
import type { Faults } from './faults.ts';
import { pageOf } from './paging.ts';
import { Problem, refuseField } from './problem.ts';

import type { BankCharge, BankRefund } from './state.ts';
import type { Tokens } from './tokens.ts';
import type { WebhookPoster } from './webhook-poster.ts';
import { presentCharge, presentPayment, presentRefund, presentTransfer, presentWebhook } from './wire.ts';

const PROBLEM_TYPES = 'https://pix.bcb.gov.br/api/v2/error';

interface ApiDeps {
  readonly bank: Bank;
  readonly faults: Faults;
  readonly tokens: Tokens;
  readonly poster: WebhookPoster;
  readonly profile: BacenProfile;
  /** The paths below which the bank answers, as in production. */
  readonly basePath: string;
  readonly tokenPath: string;
  /** What requests must name beside their token. */
  readonly required: Readonly<Record<'headers' | 'query', Readonly<Record<string, string>>>>;
  /** After each request that may have changed something. */
  readonly changed: () => void;
}

type Handler = (ctx: Context, body: Record<string, unknown>) => unknown;

/** API Pix over HTTP, in the dialect of a profile, with faults on command. */
export function createApi(deps: ApiDeps): Koa {
  const { bank, faults, tokens, poster, profile, basePath } = deps;
  const router = new Router();
  const { paths, createdStatus, send } = profile;

  /** `request` is what faults name it by: `PUT cob`. */
  const route = (request: string, path: string, handler: Handler) => {
    const [method = ''] = request.split(' ');
    router.register(`${basePath}${path}`, [method], async (ctx: Context, _next: Next) => {
      await answer(ctx, request, handler);
    });
  };

  const answer = async (ctx: Context, request: string, handler: Handler) => {
    if (faults.take('EXPIRE_TOKENS', request) !== null) tokens.expireAll();
    const busy = faults.take('STATUS', request);
    if (busy !== null) return answerBusy(ctx, busy);
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
    if (faults.take('DROP_AFTER_EFFECT', request) !== null) {
      ctx.respond = false;
      ctx.req.socket.destroy();
    } else if (faults.take('HANG_AFTER_EFFECT', request) !== null) ctx.respond = false;
  };

  const charge = (request: string, made: BankCharge, withPayments: boolean) => {
    const payments = withPayments ? bank.paymentsOf(made.txid) : null;
    const shown = presentCharge(made, profile, payments);
    const tomorrow = faults.take('STATUS_OF_TOMORROW', request);
    if (tomorrow !== null) shown.status = tomorrow.value;
    if (made.status === 'CONCLUIDA' && faults.take('CONCLUDED_WITHOUT_PIX', request)) delete shown.pix;
    return shown;
  };

  for (const kind of ['cob', 'cobv'] as const) {
    const revision = kind === 'cob' ? paths.cobRevision : paths.cobvRevision;
    // Sicredi has version 3 of one charge alone.
    const collection = paths[kind].replace('/v3/', '/v2/');
    route(`PUT ${kind}`, `${paths[kind]}/:txid`, (ctx, body) => {
      ctx.status = createdStatus[kind];
      return charge(`PUT ${kind}`, bank.putCharge(kind, idOf(ctx, 'txid'), body), false);
    });
    if (kind === 'cob')
      route('POST cob', collection, (ctx, body) => {
        ctx.status = 201;
        return charge('POST cob', bank.putCharge('cob', randomUUID().replaceAll('-', ''), body), false);
      });
    route(`GET ${kind}`, `${paths[kind]}/:txid`, (ctx) =>
      charge(`GET ${kind}`, bank.findCharge(kind, idOf(ctx, 'txid')), true),
    );
    route(`PATCH ${kind}`, `${revision}/:txid`, (ctx, body) => {
      if (faults.take('REFUSE_REMOVAL', `PATCH ${kind}`) !== null)
        throw new Problem('CobOperacaoInvalida', 'A cobrança não pode ser removida.');
      const made = bank.patchCharge(kind, idOf(ctx, 'txid'), body);
      const shown = charge(`PATCH ${kind}`, made, false);
      if (made.status !== 'ATIVA' && faults.take('PAID_WHILE_REMOVED', `PATCH ${kind}`) !== null)
        bank.pay(made.txid, { whateverItsStatus: true });
      return shown;
    });
    route(`GET ${kind}s`, collection, (ctx) => {
      const ofKind = Object.values(bank.state.charges).filter((each) => each.kind === kind);
      const { parametros, items } = pageOf(ctx, ofKind, ({ createdAt }) => createdAt);
      return {
        parametros,
        cobs: items.map((each) => presentCharge(each, profile, bank.paymentsOf(each.txid))),
      };
    });
  }

  route('GET pix', `${paths.pix}/:e2eid`, (ctx) => presentPayment(bank.findPayment(idOf(ctx, 'e2eid'))));
  route('GET pixs', paths.pix, (ctx) => {
    const { txid, txId = txid, txIdPresente, devolucaoPresente } = ctx.query;
    const asked = Object.values(bank.state.payments).filter(
      (each) =>
        (txId === undefined || each.txid === txId) &&
        (txIdPresente !== 'true' || each.txid !== '') &&
        (devolucaoPresente !== 'true' || each.refunds.length > 0),
    );
    const { parametros, items } = pageOf(ctx, asked, ({ paidAt }) => paidAt);
    return { parametros, pix: items.map(presentPayment) };
  });
  const refundPath = `${paths.pix}/:e2eid/devolucao/:id`;
  route('PUT refund', refundPath, (ctx, { valor }) => {
    ctx.status = createdStatus.refund;
    const fate: BankRefund['ends'] =
      faults.take('REFUND_FAILS', 'PUT refund') !== null
        ? 'NAO_REALIZADO'
        : faults.take('REFUND_HANGS', 'PUT refund') !== null
          ? 'WHEN_TOLD'
          : 'DEVOLVIDO';
    const payment = bank.findPayment(idOf(ctx, 'e2eid'));
    const refund = bank.refund(payment.endToEndId, idOf(ctx, 'id'), String(valor), fate);
    const shown = presentRefund(refund);
    setImmediate(() => {
      bank.settleRefund(payment, refund);
      deps.changed();
    });
    return shown;
  });
  route('GET refund', refundPath, (ctx) =>
    presentRefund(bank.findRefund(idOf(ctx, 'e2eid'), idOf(ctx, 'id'))),
  );

  route('PUT webhook', `${paths.webhook}/:chave`, async (ctx, { webhookUrl }) => {
    const key = idOf(ctx, 'chave');
    const header = profile.webhookWithoutCertificateHeader;
    const withoutCertificate = header !== null && ctx.get(header) === 'true';
    const url = String(webhookUrl);
    const webhook = { key, url, createdAt: bank.now().toISOString(), withoutCertificate };
    if (!URL.canParse(url)) refuseField('WebhookOperacaoInvalida', 'webhookUrl', 'A URL não é válida.');
    if (header !== null) {
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

  if (send !== null) {
    route('PUT transfer', `${send.order}/:id`, (ctx, body) => {
      const transfer = bank.send(idOf(ctx, 'id'), body);
      ctx.status = 201;
      const shown = presentTransfer(transfer);
      setImmediate(() => {
        bank.settleTransfer(transfer);
        deps.changed();
      });
      return shown;
    });
    route('GET transfer', `${send.byReference}/:id`, (ctx) =>
      presentTransfer(bank.findTransfer(idOf(ctx, 'id'))),
    );
    if (send.list !== null)
      route('GET transfers', send.list, (ctx) => {
        const { status } = ctx.query;
        const asked = Object.values(bank.state.transfers).filter(
          (each) => status === undefined || each.status === status,
        );
        const { parametros, items } = pageOf(ctx, asked, ({ askedAt }) => askedAt);
        return { parametros, pix: items.map(presentTransfer) };
      });
  }

  router.post(deps.tokenPath, async (ctx) => {
    const busy = faults.take('STATUS', 'POST token');
    if (busy !== null) return answerBusy(ctx, busy);
    tokens.give(ctx, await text(ctx.req));
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

function answerBusy(
  ctx: Context,
  { status, retryAfterSeconds }: { status: number; retryAfterSeconds?: number },
) {
  ctx.status = status;
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  ctx.type = 'application/problem+json';
  ctx.body = problemBody('ServicoIndisponivel', status, 'Serviço indisponível no momento.', []);
}

async function answerProblems(ctx: Context, next: Next, profile: BacenProfile): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    ctx.status = error.status;
    if (profile.errors === 'BANCO_DO_BRASIL') {
      const mensagem = error.violations[0]?.razao ?? error.message;
      ctx.body = {
        erros: [{ codigo: '4769515', versao: '1', mensagem, ocorrencia: 'CHOM00000062715498140101' }],
      };
      return;
    }
    if (error.type === 'EnvioDuplicado') {
      // Efí's own form, which Bacen's document does not know.
      ctx.body = { nome: 'id_envio_duplicado', mensagem: error.message };
      return;
    }
    ctx.body = problemBody(error.type, error.status, error.message, error.violations);
    ctx.type = 'application/problem+json';
  }
}

function problemBody(type: string, status: number, detail: string, violacoes: readonly unknown[]) {
  return {
    type: `${PROBLEM_TYPES}/${type}`,
    title: type,
    status,
    detail,
    ...(violacoes.length > 0 && { violacoes }),
  };
}
