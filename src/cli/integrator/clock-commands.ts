import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { UsageError } from '../usage-error.ts';
import type { Api } from './api.ts';
import { type ApiOptions, apiCommand, type IntegratorContext } from './context.ts';

/** The response of `dev/clock`. */
interface Clock {
  readonly status: 'advancing' | 'ready';
  readonly now: string;
  readonly target: string | null;
  readonly movedFrom: string | null;
  readonly steps: number;
}

/** The response of `dev/clock/advance`. */
interface Advance extends Clock {
  readonly expected: { readonly target: string; readonly cycles: number; readonly expiries: number };
}

interface AdvanceOptions extends ApiOptions {
  readonly by?: string;
  readonly to?: string;
  readonly preview?: boolean;
}

const POLL_MS = 500;

/** `clock show`, `clock advance`, `clock cancel` and `clock reset`. */
export function addClockCommands(root: Command, { host, output, api }: IntegratorContext): void {
  const clock = root
    .command('clock')
    .description("The clock of a store's dev environment, which can be moved forward");
  const show = (shown: Clock) => output.answer(shown, clockText(shown));
  apiCommand(clock, 'show')
    .description('Shows the clock')
    .action(async (options: ApiOptions) => show(await api(options).get<Clock>('dev/clock')));
  apiCommand(clock, 'advance')
    .description('Advances the clock, and waits until everything due by then has happened')
    .option('--by <duration>', 'duration, such as P1M, P2W or P1DT12H')
    .option('--to <time>', 'target instant or day, such as 2027-03-01')
    .option('--preview', 'previews what would happen, without advancing the clock')
    .action(async ({ by, to, preview = false, ...options }: AdvanceOptions) => {
      if ((by === undefined) === (to === undefined)) throw new UsageError('give either --by or --to');
      const over = api(options);
      const body = { ...(by && { by }), ...(to && { to }), ...(preview && { preview }) };
      const begun = await over.post<Advance>('dev/clock/advance', body);
      if (preview) return output.answer(begun, expectedText(begun));
      output.note(expectedText(begun));
      show(await ready(over, begun, host.signal, (text) => output.note(text)));
    });
  apiCommand(clock, 'cancel')
    .description('Stops an advance at the time reached so far')
    .action(async (options: ApiOptions) => show(await api(options).post<Clock>('dev/clock/cancel')));
  apiCommand(clock, 'reset')
    .description('Resets the clock to real time')
    .option('--yes', 'skips the confirmation')
    .action(async ({ yes = false, ...options }: ApiOptions & { readonly yes?: boolean }) => {
      await output.confirm(
        'What was made in the future keeps its dates, and the clock goes back to real time.',
        yes,
      );
      show(await api(options).post<Clock>('dev/clock/reset'));
    });
}

/** Ctrl-C stops waiting, but the clock keeps advancing; `clock cancel` stops it. */
async function ready(
  api: Api,
  begun: Clock,
  signal: AbortSignal | undefined,
  print: (text: string) => void,
): Promise<Clock> {
  let clock = begun;
  let printed = '';
  while (clock.status === 'advancing' && signal?.aborted !== true) {
    const text = clockText(clock);
    if (text !== printed) print(text);
    printed = text;
    await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    clock = await api.get<Clock>('dev/clock');
  }
  return clock;
}

function expectedText({ expected: { target, cycles, expiries } }: Advance): string {
  return `by ${target}: ${cycles} cycles of subscriptions open, ${expiries} charges and checkouts expire`;
}

function clockText({ status, now, target, movedFrom, steps }: Clock): string {
  if (status === 'advancing') return `${now}  on its way to ${target}, ${steps} stops so far`;
  return movedFrom === null ? `${now}  real time` : `${now}  moved, ${steps} stops on the way`;
}
