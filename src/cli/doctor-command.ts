import type { Command } from 'commander';
import { type WeakSecret, weakWebhookSecrets } from '../api/webhooks/weak-secrets.ts';
import { noteBrokenAudit } from '../audit-log/note-broken-audit.ts';
import { type AuditRights, auditRights } from '../database/audit-rights.ts';
import { AUDIT_KINDS, type AuditKind } from '../domain/audit.ts';
import { GOOD_SECRET } from '../domain/webhook-secret.ts';
import { auditText, auditVerdict } from './audit-commands.ts';
import type { CliContext } from './context.ts';
import type { Diagnosis, Finding } from './doctor.ts';
import { table } from './present.ts';

interface Options {
  readonly fix?: true;
  readonly full?: true;
  readonly json?: true;
}

/** `doctor`. */
export function addDoctorCommand(root: Command, { print, withWorkflows }: CliContext): void {
  root
    .command('doctor')
    .description(
      'Lists overdue work and verifies the audit log; fails if anything is wrong. Changes nothing without --fix',
    )
    .option('--fix', 'resumes each one as the auditor does; safe at any time')
    .option('--full', 'verifies the whole audit log, not only lines since the last run')
    .option('--json', 'prints JSON')
    .action(async ({ fix: isFix, full, json }: Options) => {
      const fix = isFix === true;
      const { diagnose } = await import('./doctor.ts');
      const isFull = full === true;
      const { diagnosis, audit, auditRole, weakSecrets } = await withWorkflows(async (service) => ({
        diagnosis: await diagnose(service, new Date(), fix),
        audit: await noteBrokenAudit(service.database.em.fork(), new Date(), { isFull }),
        auditRole: await auditRights(service.database.em.fork()),
        weakSecrets: await weakWebhookSecrets(service.database.em.fork()),
      }));
      print(
        json
          ? JSON.stringify({ ...diagnosis, audit, auditRole, weakSecrets })
          : [
              diagnosisText(diagnosis, fix),
              auditText(audit),
              rightsText(auditRole),
              ...(weakSecrets.length === 0 ? [] : [weakSecretsText(weakSecrets)]),
            ].join('\n\n'),
      );
      // Audit faults come first: overdue work is often resumed automatically.
      const verdicts = [auditVerdict(audit), verdictOf(diagnosis, fix)].filter((text) => text !== null);
      if (verdicts.length > 0) throw new Error(verdicts.join('; '));
    });
}

/** Not a fault: `npm start` uses one role for everything. */
function rightsText({ role, ways }: AuditRights): string {
  if (ways.length === 0) return `The database role "${role}" cannot change the audit log.`;
  return `The database role "${role}" could change the audit log: ${ways.join('; ')}. See "migrate --service-role".`;
}

/** Not a fault either: the API accepts secrets of any length. */
function weakSecretsText(weak: readonly WeakSecret[]): string {
  const rows = weak.map(({ webhookId, storeId, devMode, bytes }) => [
    webhookId,
    storeId,
    devMode ? 'dev' : 'prod',
    String(bytes),
  ]);
  return `The secrets of these webhooks are so short that attackers can guess them and forge deliveries. Change each with
"webhooks/rotate-secret", or on its page in the dashboard, which offers a new one; ${GOOD_SECRET}.

${table(['WEBHOOK', 'STORE', 'ENV', 'BYTES'], rows, '')}`;
}

function verdictOf({ counts, failed, isTemporalAway }: Diagnosis, fix: boolean): string | null {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (isTemporalAway) return 'Temporal does not respond, so workflows terminated by hand are unknown';
  if (total === 0) return null;
  if (!fix) return `${total} overdue; "doctor --fix" resumes ${total === 1 ? 'it' : 'them'}`;
  return failed === 0 ? null : `${failed} could not be resumed`;
}

function diagnosisText({ counts, findings }: Diagnosis, fix: boolean): string {
  const kinds = Object.entries(counts) as [AuditKind, number][];
  if (kinds.length === 0) return 'Nothing is overdue.';
  const headings = ['WHAT', 'ID', 'STORE', 'ENV', 'DUE', 'WORKFLOW', ...(fix ? ['NOW'] : [])];
  const rows = findings.map((finding) => rowOf(finding, fix));
  const sums = kinds.map(
    ([kind, count]) => `${count} ${AUDIT_KINDS[kind].many}: ${AUDIT_KINDS[kind].overdue}`,
  );
  const total = kinds.reduce((sum, [, count]) => sum + count, 0);
  const more = total > findings.length ? [`… and ${total - findings.length} more`] : [];
  return [table(headings, rows, ''), ...more, sums.join('\n')].join('\n\n');
}

const OUTCOME = { STARTED: 'resumed', RUNNING: 'continues by itself', FAILED: 'could not be resumed' };

function rowOf({ kind, id, storeId, devMode, dueAt, workflow, outcome }: Finding, fix: boolean): string[] {
  const due = dueAt === null ? '-' : `${dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const now = fix ? [outcome === null ? '-' : OUTCOME[outcome]] : [];
  return [kind, id, storeId, devMode ? 'dev' : 'prod', due, workflow?.toLowerCase() ?? '-', ...now];
}
