import { runCli } from './run.ts';

// The entry point of `npm run cli`.
process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
});
