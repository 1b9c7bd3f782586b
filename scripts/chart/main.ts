import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { runAndStop, say } from '../embedded/run-and-stop.ts';
import { problemsOf, render } from './rendered.ts';
import { KUBERNETES_VERSIONS, locationOf } from './schemas.ts';
import { type ChartTools, installChartTools } from './tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const CHART = join(ROOT, 'deploy/helm/recebe');
const VALUES = join(ROOT, 'conformance/chart');
const COMPLETE = ['--values', join(VALUES, 'everything.yaml')];

/** Values that must be refused, and what the message has to name. */
const REFUSED = [
  { names: 'publicUrl', set: 'publicUrl=http://pay.example.com' },
  { names: 'address', set: 'temporal.address=' },
  { names: 'certificateSecretName', set: 'notifications.certificateSecretName=' },
  { names: 'SMTP_URL', set: 'settings.SMTP_URL=smtps://user:password@mail.example.com' },
  { names: 'PORT', set: 'settings.PORT=8080' },
  { names: 'replicas', set: 'workers.queues.payments.replicas=0' },
  { names: 'deliverys', set: 'workers.queues.deliverys.replicas=1' },
  { names: 'digest', set: 'image.digest=latest' },
] as const;

/**
 * `npm run chart`: renders the Helm chart with several values, and has kubeconform compare the objects with Kubernetes' and
 * KEDA's schemas. Fails if one does not fit, a pod has more rights than it needs, or a wrong value is not refused. The tools are
 * installed once per machine; if they cannot be, nothing is checked, and the last line says why.
 */
async function main(): Promise<void> {
  const tools = await installChartTools();
  if (typeof tools === 'string') return say(`The chart was not checked: ${tools.split('\n')[0]}`);
  const files = globSync('*.yaml', { cwd: VALUES }).sort();
  const wrong = [
    ...files.flatMap((file) => KUBERNETES_VERSIONS.flatMap((version) => judged(tools, file, version))),
    ...REFUSED.flatMap((each) => notRefused(tools, each)),
  ];
  for (const each of wrong) say(each);
  if (wrong.length > 0) throw new Error(`${wrong.length} problems with the chart`);
  say(
    `${files.length} sets of values fit Kubernetes ${KUBERNETES_VERSIONS.join(' and ')}; ${REFUSED.length} wrong values are refused`,
  );
}

function judged(tools: ChartTools, file: string, version: string): string[] {
  const about = `${basename(file)}, Kubernetes ${version}`;
  const path = join(VALUES, file);
  const rendered = render(tools.helm, CHART, version, ['--values', path]);
  if ('refused' in rendered) return [`${about}: ${rendered.refused}`];
  const locations = [
    locationOf(tools.kubernetesSchemas, version),
    join(tools.kedaSchemas, '{{.ResourceKind}}{{.KindSuffix}}.json'),
  ];
  const { status, stdout, stderr } = spawnSync(
    tools.kubeconform,
    ['-strict', '-summary', ...locations.flatMap((location) => ['-schema-location', location])],
    { input: rendered.text, encoding: 'utf8' },
  );
  const { temporal } = parseYaml(readFileSync(path, 'utf8')) as { temporal: { taskQueue?: string } };
  const problems = problemsOf(rendered.text, temporal.taskQueue ?? 'recebe');
  // Without a line that says it found objects, kubeconform has judged nothing.
  const isValid = status === 0 && /Valid: [1-9]\d*, Invalid: 0, Errors: 0, Skipped: 0/.test(stdout);
  return [...(isValid ? [] : [stdout + stderr]), ...problems].map((problem) => `${about}: ${problem}`);
}

function notRefused({ helm }: ChartTools, { names, set }: (typeof REFUSED)[number]): string[] {
  const rendered = render(helm, CHART, KUBERNETES_VERSIONS[1], [...COMPLETE, '--set', set]);
  if (!('refused' in rendered)) return [`${set} is not refused`];
  const { refused } = rendered;
  return refused.includes(names) ? [] : [`${set} is refused without naming ${names}: ${refused}`];
}

await runAndStop(main);
