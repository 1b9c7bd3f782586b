import type { Context, Next } from 'koa';
import type { BacenProfile } from '../../src/providers/bacen/profile.ts';
import { Problem } from './problem.ts';

const PROBLEM_TYPES = 'https://pix.bcb.gov.br/api/v2/error';

/** Answers refusals in the profile's dialect. */
export async function answerProblems(ctx: Context, next: Next, profile: BacenProfile): Promise<void> {
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
    if (error.type === 'insufficient_scope') {
      // RFC 6750 section 3.1, as gateways before a bank have it.
      ctx.body = { error: error.type, error_description: error.message };
      return;
    }
    if (error.type === 'EnvioDuplicado') {
      // Efí's own format, which Bacen's document does not define.
      ctx.body = { nome: 'id_envio_duplicado', mensagem: error.message };
      return;
    }
    ctx.body = problemBody(error.type, error.status, error.message, error.violations);
    ctx.type = 'application/problem+json';
  }
}

/** Answers like a busy gateway. */
export function answerBusy(
  ctx: Context,
  { status, retryAfterSeconds }: { readonly status: number; readonly retryAfterSeconds?: number | undefined },
): void {
  ctx.status = status;
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  ctx.type = 'application/problem+json';
  ctx.body = problemBody('ServicoIndisponivel', status, 'Serviço indisponível no momento.', []);
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
