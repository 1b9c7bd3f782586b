import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { advisoriesText, readAuditReport } from './advisories/audit-report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A registry that hangs must not hold up a change. */
const TIMEOUT_MS = 60_000;

/**
 * `npm run advisories`: asks the registry for known weaknesses of the packages that the service runs with. It fails if one
 * is high or critical. Without an answer it says so and passes: a change must not wait for a network.
 */
async function main(): Promise<void> {
  const report = readAuditReport(await auditOutput());
  process.stdout.write(`${advisoriesText(report)}\n`);
  if (report.kind === 'answered' && report.serious.length > 0) process.exitCode = 1;
}

/** What `npm audit` prints. Its exit code does not tell a weakness from a registry that is away, so it is ignored. */
function auditOutput(): Promise<string> {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=20000'];
  const options = { cwd: ROOT, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile('npm', [...args, ...process.argv.slice(2)], options, (_error, stdout) => resolve(stdout));
  });
}

await main();
