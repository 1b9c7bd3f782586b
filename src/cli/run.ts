import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { type CliHost, Output } from './host.ts';
import { ApiFailure } from './integrator/api.ts';
import { addIntegratorCommands } from './integrator/commands.ts';
import { UsageError } from './usage-error.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

const EPILOGUE = `
With --json, every command prints one JSON document to standard output, or one per line if it runs until stopped.
Errors are then JSON on standard error: {"error":{"code","message"}}.

Exit codes: 0 success, 1 failure, 2 invalid usage, or not possible as requested.`;

/** Runs one command. @returns its exit code: 0 success, 1 failure, 2 invalid usage or not possible as requested. */
export async function runCli(args: readonly string[], host: CliHost): Promise<number> {
  const output = new Output(host, args.includes('--json'));
  try {
    const root = await program(args, host, output);
    await root.parseAsync(helpAsOption(args), { from: 'user' });
    return 0;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.exitCode !== 0) printFailure(failure, host, output, error instanceof CommanderError);
    return failure.exitCode;
  }
}

/** Turns `help accounts add` into `accounts add --help`: commander's own `help` accepts only one word. */
function helpAsOption(args: readonly string[]): readonly string[] {
  const [first, ...words] = args;
  return first === 'help' && words.length > 1 ? [...words, '--help'] : args;
}

interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CommanderError)
    return {
      exitCode: error.exitCode === 0 ? 0 : WRONG_USAGE,
      code: 'USAGE',
      message: message.replace(/^error: /, ''),
    };
  if (error instanceof UsageError) return { exitCode: WRONG_USAGE, code: 'USAGE', message };
  return { exitCode: FAILED, code: error instanceof ApiFailure ? error.code : 'FAILED', message };
}

function printFailure(
  { code, message }: Failure,
  host: CliHost,
  { isJson }: Output,
  isPrinted: boolean,
): void {
  if (isJson) host.printError(JSON.stringify({ error: { code, message } }));
  else if (!isPrinted) host.printError(`error: ${message}`);
}

/** Operator commands load a database driver and more, which commands over the API do not need. */
async function program(args: readonly string[], host: CliHost, output: Output): Promise<Command> {
  const root = new Command('recebe')
    .description('Recebe on the command line.')
    .version(VERSION, '-V, --version', 'prints the version')
    .addHelpText('after', EPILOGUE)
    // The options of a command and of its own commands may have the same names.
    .enablePositionalOptions()
    .exitOverride();
  root.configureOutput({
    writeOut: (text) => host.print(text.trimEnd()),
    writeErr: (text) => output.isJson || host.printError(text.trimEnd()),
  });
  addIntegratorCommands(root, host, output);
  const [wanted] = args;
  if (!root.commands.some((command) => command.name() === wanted)) {
    const { addOperatorCommands } = await import('./operator-commands.ts');
    addOperatorCommands(root, host, output);
  }
  for (const command of leavesOf(root)) {
    if (!command.options.some(({ long }) => long === '--json')) command.option('--json', 'prints JSON');
  }
  return root;
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}
