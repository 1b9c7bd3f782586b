/** A package with a known weakness that is high or critical. */
export interface SeriousPackage {
  readonly name: string;
  readonly severity: 'high' | 'critical';
  /** Titles of its advisories; empty if the weakness is in a package that it depends on. */
  readonly titles: readonly string[];
}

/** What `npm audit --json` has said. */
export type AuditReport =
  | { readonly kind: 'answered'; readonly serious: readonly SeriousPackage[]; readonly lesser: number }
  | { readonly kind: 'unanswered'; readonly reason: string };

interface Vulnerability {
  readonly name: string;
  readonly severity: string;
  readonly via: readonly (string | { readonly title?: string })[];
}

interface Printed {
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  /** Why the registry gave no report. */
  readonly message?: string;
}

/**
 * Reads what `npm audit --json` prints.
 * @throws Error for output that is neither a report nor a failed request, such as without a lock file.
 */
export function readAuditReport(output: string): AuditReport {
  if (output.trim() === '') return { kind: 'unanswered', reason: 'npm audit did not end in time' };
  const { vulnerabilities, message } = JSON.parse(output) as Printed;
  if (vulnerabilities === undefined) {
    if (message === undefined) throw new Error(`npm audit failed: ${output.slice(0, 500)}`);
    return { kind: 'unanswered', reason: message };
  }
  const all = Object.values(vulnerabilities);
  const serious = all.flatMap(({ name, severity, via }) =>
    severity === 'high' || severity === 'critical'
      ? [{ name, severity, titles: titlesOf(via) } as const]
      : [],
  );
  return { kind: 'answered', serious, lesser: all.length - serious.length };
}

function titlesOf(via: Vulnerability['via']): string[] {
  return via.flatMap((each) =>
    typeof each === 'string' ? [] : [each.title ?? 'an advisory without a title'],
  );
}

/** The report for people. */
export function advisoriesText(report: AuditReport): string {
  if (report.kind === 'unanswered') return `advisories not checked: ${report.reason}`;
  const { serious, lesser } = report;
  const rest = lesser === 0 ? '' : ` (and ${lesser} moderate or low, which do not fail)`;
  if (serious.length === 0) return `advisories checked: none is high or critical${rest}`;
  const lines = serious.map(
    ({ name, severity, titles }) =>
      `  ${severity}: ${name}: ${titles.join('; ') || 'a package that it needs'}`,
  );
  return [`advisories checked: ${serious.length} packages have a high or critical one${rest}`, ...lines].join(
    '\n',
  );
}
