import type { Command } from 'commander';
import type { CliHost } from '../host.ts';
import { apiAddressOf } from '../instance.ts';

interface McpOptions {
  readonly apiUrl?: string;
  readonly allowWrites?: boolean;
  readonly tools?: string;
}

/** `mcp`. It has no `--key`: clients keep the arguments of a server in readable files and lists of processes. */
export function addMcpCommand(root: Command, host: CliHost): void {
  root
    .command('mcp')
    .description(
      'Offers the API as tools to a program with a language model, over the Model Context Protocol',
    )
    .option('--api-url <url>', 'the URL of the service; default: RECEBE_API_URL, or the local "npm start"')
    .option('--allow-writes', 'also offers tools that move money or change anything')
    .option(
      '--tools <names>',
      'only these tools or resources, separated by commas, such as payments,customers',
    )
    .addHelpText(
      'after',
      `
Programs with a language model start this command and talk to it over its standard input and output.
The key comes from RECEBE_API_KEY, or is the demo key of "npm start". Without --allow-writes, only tools
that read are offered. Give the key only the permissions that the model needs.`,
    )
    .action(async ({ apiUrl, allowWrites = false, tools }: McpOptions) => {
      const api = apiAddressOf(host.env, apiUrl === undefined ? {} : { apiUrl });
      const names = tools?.split(',').map((name) => name.trim()) ?? null;
      const isDevMode = !api.key.startsWith('abc_prod_');
      // Loaded here so that other commands do not wait for it.
      const { serveMcp } = await import('./serve.ts');
      await serveMcp(api, { allowsWrites: allowWrites, names, isDevMode }, host.signal);
    });
}
