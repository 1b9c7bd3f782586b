import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { environment } from '../../src/environment-variables.ts';
import { QUEUE_NAMES, taskQueuesOf } from '../../src/temporal/task-queues.ts';

interface Variable {
  readonly name: string;
  readonly value?: string;
}

interface Container {
  readonly command?: readonly string[];
  readonly env?: readonly Variable[];
  readonly securityContext?: {
    readonly readOnlyRootFilesystem?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[] };
  };
  readonly livenessProbe?: unknown;
}

interface Pod {
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: { readonly runAsNonRoot?: boolean };
  readonly containers: readonly Container[];
}

/** An object of Kubernetes, as far as it is looked at here. */
interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec: Pod };
    readonly scaleTargetRef?: { readonly name: string };
    readonly triggers?: readonly { readonly metadata: Readonly<Record<string, string>> }[];
  };
}

/** Renders the chart as a cluster of a version would receive it. @returns the text, or what helm says against the values. */
export function render(
  helm: string,
  chart: string,
  version: string,
  args: readonly string[],
): { readonly text: string } | { readonly refused: string } {
  const all = ['template', 'pay', chart, '--kube-version', version, ...args];
  const { status, stdout, stderr } = spawnSync(helm, all, { encoding: 'utf8' });
  return status === 0 ? { text: stdout } : { refused: stderr.trim() };
}

/** What is wrong with the objects, beyond what schemas know. @param taskQueue of the values. */
export function problemsOf(text: string, taskQueue: string): string[] {
  const objects = parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
  return [
    ...objects.flatMap((object) => unsafePods(object)),
    ...unknownSettings(objects),
    ...queueProblems(objects, taskQueue),
  ];
}

function unsafePods({ kind, metadata, spec }: Rendered): string[] {
  const pod = spec?.template?.spec;
  if (pod === undefined) return [];
  const is = (what: string, isRight: boolean) => (isRight ? [] : [`${kind} ${metadata.name}: ${what}`]);
  return [
    ...is('may run as root', pod.securityContext?.runAsNonRoot === true),
    ...is('has a token of the cluster', pod.automountServiceAccountToken === false),
    ...pod.containers.flatMap(({ securityContext: context, livenessProbe }) => [
      ...is('can write to its root file system', context?.readOnlyRootFilesystem === true),
      ...is('can gain privileges', context?.allowPrivilegeEscalation === false),
      ...is('keeps capabilities', context?.capabilities?.drop?.includes('ALL') === true),
      ...is('has no liveness probe', kind === 'Job' || livenessProbe !== undefined),
    ]),
  ];
}

function unknownSettings(objects: readonly Rendered[]): string[] {
  const set = objects.flatMap(({ data, spec }) => [
    ...Object.keys(data ?? {}),
    ...(spec?.template?.spec.containers ?? []).flatMap(({ env = [] }) => env.map(({ name }) => name)),
  ]);
  return set.filter((name) => !(name in environment.shape)).map((name) => `${name} is no setting`);
}

/** Every queue has workers, and is scaled by its own backlog. */
function queueProblems(objects: readonly Rendered[], taskQueue: string): string[] {
  const queues = taskQueuesOf(taskQueue);
  const workers = objects.filter(
    ({ kind, metadata }) => kind === 'Deployment' && /-worker-/.test(metadata.name),
  );
  const served = workers.map(({ spec }) => spec?.template?.spec.containers[0]?.command?.at(-1));
  const unserved = QUEUE_NAMES.filter((name) => !served.includes(name));
  const scaled = objects.filter(({ kind }) => kind === 'ScaledObject');
  const misled = scaled.filter(({ spec }) => {
    const name = QUEUE_NAMES.find((each) => spec?.scaleTargetRef?.name.endsWith(`-worker-${each}`));
    return name === undefined || spec?.triggers?.[0]?.metadata.taskQueue !== queues[name];
  });
  return [
    ...unserved.map((name) => `no workers for the queue ${name}`),
    ...misled.map(({ metadata }) => `${metadata.name} counts the tasks of another queue`),
    ...(scaled.length === 0 || scaled.length === QUEUE_NAMES.length ? [] : ['not every queue is scaled']),
  ];
}
