import { fileURLToPath } from 'node:url';
import type { BundleOptions, WorkerOptions } from '@temporalio/worker';

const WORKFLOWS_PATH = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

/** The workflows of the service, and how they become one script. */
export const WORKFLOW_BUNDLE_OPTIONS: BundleOptions = {
  workflowsPath: WORKFLOWS_PATH,
  // Evaluated once instead of once per run: the SDK freezes what runs share, and `npm run imports` refuses
  // modules with state.
  preloadModules: [WORKFLOWS_PATH],
};

/**
 * What a worker runs: the script at `path`, made before by `src/bundle.ts`, or one that it makes itself,
 * which takes seconds.
 */
export function workflowsFrom(
  path: string | null,
): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'bundlerOptions'> {
  if (path !== null) return { workflowBundle: { codePath: path } };
  const { workflowsPath, ...bundlerOptions } = WORKFLOW_BUNDLE_OPTIONS;
  return { workflowsPath, bundlerOptions };
}
