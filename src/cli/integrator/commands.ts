import type { Command } from 'commander';
import type { CliHost, Output } from '../host.ts';
import { addMcpCommand } from '../mcp/mcp-command.ts';
import { addClockCommands } from './clock-commands.ts';
import { integratorContext } from './context.ts';
import { addDeliveryCommands } from './delivery-commands.ts';
import { addEventCommands } from './event-commands.ts';
import { addListenCommand } from './listen-command.ts';
import { addPaymentCommands } from './payment-commands.ts';
import { addTriggerCommand } from './trigger-command.ts';

/** Commands for integrators: they use the API with a key, from any machine. */
export function addIntegratorCommands(root: Command, host: CliHost, output: Output): void {
  const context = integratorContext(host, output);
  root.commandsGroup('Over the API, with a key, from any machine:');
  addListenCommand(root, context);
  addTriggerCommand(root, context);
  addClockCommands(root, context);
  addEventCommands(root, context);
  addPaymentCommands(root, context);
  addDeliveryCommands(root, context);
  addMcpCommand(root, host);
}
