import type { Context } from 'koa';
import type { BacenProfile, MandatePaths } from '../../../src/providers/bacen/profile.ts';
import { askedWebhook } from '../asked-webhook.ts';
import type { Bank } from '../bank.ts';
import { listedItems, perhapsMalformed } from '../faults/listing.ts';
import type { Operation } from '../faults/operations.ts';
import { refuseDuplicate, seenUntil } from '../faults/requests.ts';
import type { Faults } from '../faults.ts';
import { pageOf } from '../paging.ts';
import { Problem } from '../problem.ts';
import type { BankWebhook } from '../state.ts';
import type { Tokens } from '../tokens.ts';
import { type NewsTopic, statusOf } from './state.ts';
import { asSeen, presentCode, presentInstruction, presentLocation, presentMandate } from './wire.ts';

interface Deps {
  readonly bank: Bank;
  readonly faults: Faults;
  readonly profile: BacenProfile;
  readonly paths: MandatePaths;
  readonly tokens: Tokens;
  readonly route: (
    request: Operation,
    path: string,
    handler: (ctx: Context, body: Record<string, unknown>) => unknown,
  ) => void;
}

/** Pix Automático over HTTP: mandates (`rec`), their locations (`locrec`) and debit instructions (`cobr`). */
export function addMandates({ bank, faults, profile, paths, tokens, route }: Deps): void {
  const { mandates } = bank;
  const perhapsUnknown = (request: Operation, shown: Record<string, unknown>) => {
    const unknown = faults.take('UNKNOWN_STATUS', request);
    return unknown === null ? shown : { ...shown, status: unknown.value };
  };

  addWebhook('rec', paths.webhookRec, { bank, profile, tokens, route });
  addWebhook('cobr', paths.webhookCobr, { bank, profile, tokens, route });
  route('POST locrec', paths.locrec, (ctx) => {
    ctx.status = 201;
    return presentLocation(mandates.createLocation());
  });
  route('POST rec', paths.rec, (ctx, body) => {
    const made = mandates.createMandate(body);
    ctx.status = 201;
    return presentMandate(made, mandates.state);
  });
  route('GET rec', `${paths.rec}/:idRec`, (ctx) => {
    const there = mandates.findMandate(param(ctx, 'idRec'));
    const seen = asSeen(there, seenUntil(bank, faults, 'LOOKUPS_LAG', 'GET rec'));
    if (seen === null) throw new Problem('RecNaoEncontrada', 'Recorrência não encontrada.');
    const { txid } = ctx.query;
    const shown = { ...presentMandate(seen, mandates.state), ...presentCode(bank, seen, txid?.toString()) };
    return perhapsUnknown('GET rec', shown);
  });
  route('PATCH rec', `${paths.rec}/:idRec`, (ctx, body) =>
    presentMandate(mandates.reviseMandate(param(ctx, 'idRec'), body), mandates.state),
  );
  route('GET recs', paths.rec, (ctx) => {
    const until = seenUntil(bank, faults, 'LISTINGS_LAG', 'GET recs');
    const { cpf, cnpj, status } = ctx.query;
    const seen = Object.values(mandates.state.mandates)
      .map((each) => asSeen(each, until))
      .filter((each) => each !== null)
      .filter((each) => {
        const { devedor } = each.asked.vinculo;
        return (
          (cpf === undefined || devedor.cpf === cpf) &&
          (cnpj === undefined || devedor.cnpj === cnpj) &&
          (status === undefined || statusOf(each) === status)
        );
      });
    const listed = listedItems(faults, 'GET recs', seen, ({ idRec }) => idRec);
    const { parametros, items } = pageOf(ctx, listed, ({ createdAt }) => createdAt);
    const recs = items.map((each) => presentMandate(each, mandates.state));
    return { parametros, recs: perhapsMalformed(faults, 'GET recs', recs) };
  });

  route('PUT cobr', `${paths.cobr}/:txid`, (ctx, body) => {
    const txid = param(ctx, 'txid');
    if (mandates.state.instructions[txid] !== undefined) refuseDuplicate(faults, 'PUT cobr');
    const made = mandates.createInstruction(txid, body);
    ctx.status = 201;
    return presentInstruction(made, bank);
  });
  route('GET cobr', `${paths.cobr}/:txid`, (ctx) => {
    const there = mandates.findInstruction(param(ctx, 'txid'));
    const seen = asSeen(there, seenUntil(bank, faults, 'LOOKUPS_LAG', 'GET cobr'));
    if (seen === null) throw new Problem('CobRNaoEncontrado', 'Cobrança não encontrada.');
    return perhapsUnknown('GET cobr', presentInstruction(seen, bank));
  });
  route('PATCH cobr', `${paths.cobr}/:txid`, (ctx, body) =>
    presentInstruction(mandates.cancelInstruction(param(ctx, 'txid'), body), bank),
  );
  route('POST retry', `${paths.cobr}/:txid/retentativa/:data`, (ctx) => {
    const retried = mandates.retry(param(ctx, 'txid'), param(ctx, 'data'));
    ctx.status = 201;
    return presentInstruction(retried, bank);
  });
  route('GET cobrs', paths.cobr, (ctx) => {
    const until = seenUntil(bank, faults, 'LISTINGS_LAG', 'GET cobrs');
    const { idRec } = ctx.query;
    const seen = Object.values(mandates.state.instructions)
      .map((each) => asSeen(each, until))
      .filter((each) => each !== null && (idRec === undefined || each.asked.idRec === idRec))
      .filter((each) => each !== null);
    const listed = listedItems(faults, 'GET cobrs', seen, ({ txid }) => txid);
    const { parametros, items } = pageOf(ctx, listed, ({ createdAt }) => createdAt);
    const cobsr = items.map((each) => presentInstruction(each, bank));
    return { parametros, cobsr: perhapsMalformed(faults, 'GET cobrs', cobsr) };
  });
}

function param(ctx: Context, name: string): string {
  return (ctx.params as Record<string, string>)[name] ?? '';
}

/** Routes for the one webhook of the account for mandates, or for instructions. */
function addWebhook(
  topic: NewsTopic,
  path: string,
  { bank, profile, tokens, route }: Omit<Deps, 'faults' | 'paths'>,
): void {
  const { state } = bank;
  const shown = ({ url, createdAt }: BankWebhook) => ({ webhookUrl: url, criacao: createdAt });
  const registered = () => {
    const webhook = state.newsWebhooks?.[topic];
    if (webhook === undefined) throw new Problem('NaoEncontrado', 'Webhook não encontrado.');
    return webhook;
  };
  route('PUT webhook', path, (ctx, { webhookUrl }) => {
    tokens.refuseWithheld(`webhook${topic}.write`);
    const webhook = askedWebhook(ctx, topic, webhookUrl, { bank, profile });
    state.newsWebhooks = { ...state.newsWebhooks, [topic]: webhook };
    return shown(webhook);
  });
  route('GET webhook', path, () => shown(registered()));
  route('DELETE webhook', path, (ctx) => {
    registered();
    const { [topic]: _removed, ...others } = state.newsWebhooks ?? {};
    state.newsWebhooks = others;
    ctx.status = 204;
    return undefined;
  });
}
