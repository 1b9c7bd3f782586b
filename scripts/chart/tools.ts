import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { machineCache } from '../embedded/cache-folder.mjs';
import { madeOnce } from '../embedded/machine-cache.ts';
import { installWithPip } from '../embedded/pip.mjs';
import { runToEnd } from '../embedded/process.mjs';
import { say } from '../embedded/run-and-stop.ts';
import { prepareKubernetesSchemas, writeSchemasOfCustomResources } from './schemas.ts';

const HELM = { name: 'helm', module: 'helm.sh/helm/v3/cmd/helm', version: 'v3.22.0' };
const KUBECONFORM = {
  name: 'kubeconform',
  module: 'github.com/yannh/kubeconform/cmd/kubeconform',
  version: 'v0.8.0',
};
const KEDA = { module: 'github.com/kedacore/keda/v2', version: 'v2.21.0' };
/** Kubernetes' own schemas, as a package that carries them for many versions. */
const KUBERNETES = { name: 'kubernetes-validate', version: '1.37.0' };

/** What renders and judges the chart. */
export interface ChartTools {
  readonly helm: string;
  readonly kubeconform: string;
  /** One folder of schemas for each version of Kubernetes. */
  readonly kubernetesSchemas: string;
  readonly kedaSchemas: string;
}

/**
 * Builds and downloads the tools once per machine.
 * @returns why they cannot be had here instead, if there is no Go, no Python, or no way to their registries.
 */
export async function installChartTools(): Promise<ChartTools | string> {
  if (spawnSync('go', ['version']).status !== 0) return 'no Go is here';
  const folder = machineCache();
  try {
    return {
      kubernetesSchemas: await madeOnce(
        folder,
        `${KUBERNETES.name}-${KUBERNETES.version}`,
        downloadSchemas,
        say,
      ),
      kedaSchemas: await madeOnce(folder, `keda-schemas-${KEDA.version}`, makeKedaSchemas, say),
      kubeconform: await programOf(folder, KUBECONFORM),
      helm: await programOf(folder, HELM),
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function programOf(folder: string, { name, module, version }: typeof HELM): Promise<string> {
  const build = async (target: string) => {
    mkdirSync(target);
    // Whatever else runs here comes first.
    const [command, args] = process.platform === 'win32' ? ['go', []] : ['nice', ['-n', '15', 'go']];
    await runToEnd(
      `Building ${name}`,
      command,
      [...args, 'install', '-ldflags=-s -w', `${module}@${version}`],
      {
        log: say,
        env: { ...process.env, GOBIN: target, CGO_ENABLED: '0' },
      },
    );
  };
  return join(await madeOnce(folder, `${name}-${version}`, build, say), name);
}

async function downloadSchemas(target: string): Promise<void> {
  await installWithPip(`${KUBERNETES.name}==${KUBERNETES.version}`, target, say);
  prepareKubernetesSchemas(join(target, 'kubernetes_validate', 'kubernetes-json-schema'));
}

async function makeKedaSchemas(target: string): Promise<void> {
  const { stdout } = spawnSync('go', ['mod', 'download', '-json', `${KEDA.module}@${KEDA.version}`], {
    encoding: 'utf8',
  });
  const { Dir: folder, Error: problem } = JSON.parse(stdout) as { Dir?: string; Error?: string };
  if (folder === undefined) throw new Error(problem ?? `${KEDA.module} cannot be downloaded`);
  mkdirSync(target);
  writeSchemasOfCustomResources(join(folder, 'config', 'crd', 'bases'), target);
}
