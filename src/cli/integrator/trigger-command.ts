import { Argument, type Command } from 'commander';
import { EVENT_NAMES, type EventName } from '../../domain/event-names.ts';
import { UsageError } from '../usage-error.ts';
import { causeEvent } from './cause-event.ts';
import { CAUSES } from './causes.ts';
import { type ApiOptions, apiCommand, type IntegratorContext } from './context.ts';

/** `trigger`. */
export function addTriggerCommand(root: Command, context: IntegratorContext): void {
  const { output } = context;
  const list = EVENT_NAMES.map((name) => `  ${name.padEnd(28)}${CAUSES[name].how}`);
  apiCommand(root, 'trigger')
    .description('Triggers a real event in dev mode, by creating and paying what it needs over the API')
    .addArgument(new Argument('<event>', 'which one').choices(EVENT_NAMES))
    .option('--yes', 'skips the confirmation before the clock moves')
    .addHelpText('after', `\nWhat each event does:\n${list.join('\n')}`)
    .action(async (name: EventName, { yes = false, ...options }: ApiOptions & { readonly yes?: boolean }) => {
      const api = context.api(options);
      if (!api.isDevMode) throw new UsageError('trigger: is for dev mode only; this is a production key');
      const { cause, moves } = CAUSES[name];
      if (moves !== undefined)
        await output.confirm(
          `The clock of the dev environment moves by ${moves}, and everything due by then happens.`,
          yes,
        );
      const { id, subjectId } = await causeEvent(api, name, cause);
      output.answer({ event: name, id, subjectId }, `${name} has happened to ${subjectId}: ${id}`);
    });
}
