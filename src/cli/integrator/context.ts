import type { Command } from 'commander';
import type { CliHost, Output } from '../host.ts';
import { apiAddressOf } from '../instance.ts';
import { Api } from './api.ts';

/** What commands over the API need to do their work. */
export interface IntegratorContext {
  readonly host: CliHost;
  readonly output: Output;
  /** The API named by options and environment. @throws Error that says what to set. */
  api(options: ApiOptions): Api;
}

export interface ApiOptions {
  readonly apiUrl?: string;
  readonly key?: string;
}

export function integratorContext(host: CliHost, output: Output): IntegratorContext {
  return { host, output, api: (options) => new Api(apiAddressOf(host.env, options)) };
}

/** A command with options for the API's address and key. */
export function apiCommand(parent: Command, name: string): Command {
  return parent
    .command(name)
    .option('--api-url <url>', 'the URL of the service; default: RECEBE_API_URL, or the local "npm start"')
    .option('--key <key>', 'an API key; default: RECEBE_API_KEY, or the demo key of "npm start"');
}
