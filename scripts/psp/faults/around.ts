import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import { answerBusy } from '../answer-problems.ts';
import type { Faults } from '../faults.ts';
import type { Tokens } from '../tokens.ts';

/** Executes a request, unless a fault prevents it. @param act has the effect and sets the answer. */
export async function aroundRequest(
  { faults, tokens }: { readonly faults: Faults; readonly tokens: Tokens },
  ctx: Context,
  operation: string,
  act: () => Promise<void>,
): Promise<void> {
  const delay = faults.take('DELAY', operation);
  if (delay !== null) await sleep(delay.ms, null, { ref: false });
  if (faults.take('EXPIRE_TOKENS', operation) !== null) tokens.expireAll();
  if (faults.take('DROP_BEFORE_EFFECT', operation) !== null) return drop(ctx);
  if (faults.take('HANG_BEFORE_EFFECT', operation) !== null) return hang(ctx);
  const busy = faults.take('STATUS', operation);
  if (busy !== null) return answerBusy(ctx, busy);
  await act();
  if (faults.take('MALFORMED_ANSWER', operation) !== null) {
    ctx.type = 'application/json';
    ctx.body = '{"pix": [{"endToEndId": ';
  }
  if (faults.take('DROP_AFTER_EFFECT', operation) !== null) drop(ctx);
  else if (faults.take('HANG_AFTER_EFFECT', operation) !== null) hang(ctx);
}

function drop(ctx: Context): void {
  ctx.respond = false;
  ctx.req.socket.destroy();
}

/** Longer than any client waits. */
function hang(ctx: Context): void {
  ctx.respond = false;
}
