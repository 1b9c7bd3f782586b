import type { Context } from 'koa';
import { refuseField } from './problem.ts';

const DEFAULT_ITEMS = 100;
const MAX_ITEMS = 1_000;

/** One page of the items from `inicio` to `fim`, oldest first, and the `parametros` of the list. */
export function pageOf<Item>(
  ctx: Context,
  all: readonly Item[],
  instantOf: (item: Item) => string,
  // Only the list of webhooks may omit the range.
  usual: { readonly inicio?: string; readonly fim?: string } = {},
) {
  const { inicio, fim } = { ...usual, ...(ctx.query as Record<string, string | undefined>) };
  if (!isInstant(inicio)) refuseField('RequisicaoInvalida', 'inicio', 'O início é obrigatório.');
  if (!isInstant(fim)) refuseField('RequisicaoInvalida', 'fim', 'O fim é obrigatório.');
  const from = Date.parse(inicio ?? '');
  const to = Date.parse(fim ?? '');
  if (to < from) refuseField('RequisicaoInvalida', 'fim', 'O fim é anterior ao início.');
  const page = numberOf(ctx, 'paginacao.paginaAtual', 0, Number.MAX_SAFE_INTEGER, 0);
  const perPage = numberOf(ctx, 'paginacao.itensPorPagina', 1, MAX_ITEMS, DEFAULT_ITEMS);
  const inRange = all
    .filter((item) => Date.parse(instantOf(item)) >= from && Date.parse(instantOf(item)) <= to)
    .sort((one, other) => (instantOf(one) < instantOf(other) ? -1 : 1));
  const parametros = {
    inicio,
    fim,
    paginacao: {
      paginaAtual: page,
      itensPorPagina: perPage,
      quantidadeDePaginas: Math.max(1, Math.ceil(inRange.length / perPage)),
      quantidadeTotalDeItens: inRange.length,
    },
  };
  return { parametros, items: inRange.slice(page * perPage, (page + 1) * perPage) };
}

function numberOf(ctx: Context, name: string, min: number, max: number, otherwise: number): number {
  const value = ctx.query[name];
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (!Number.isInteger(number) || number < min || number > max)
    refuseField('RequisicaoInvalida', name, 'A paginação está fora dos limites.');
  return number;
}

/** RFC 3339. */
const isInstant = (text: string | undefined) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text ?? '') &&
  !Number.isNaN(Date.parse(text ?? ''));
