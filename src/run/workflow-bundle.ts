import { fileURLToPath } from 'node:url';
import {
  type BundleOptions,
  bundleWorkflowCode,
  DefaultLogger,
  type WorkflowBundleOption,
} from '@temporalio/worker';

const WORKFLOWS_PATH = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

/** The workflows of the service, and how they become one script. */
export const WORKFLOW_BUNDLE_OPTIONS: BundleOptions = {
  workflowsPath: WORKFLOWS_PATH,
  // It would list every file.
  logger: new DefaultLogger('WARN'),
  // Evaluated once instead of once per run: the SDK freezes what runs share, and `npm run imports` refuses
  // modules with state.
  preloadModules: [WORKFLOWS_PATH],
};

/** What hands traces on; only part of the workflows where traces are on. */
const TRACE_CONTEXT = fileURLToPath(new URL('../../workflows/trace-context.ts', import.meta.url));

/**
 * What workers run: the script at `path`, made before by `src/bundle.ts`, or one that is made now, which takes seconds. One
 * that was made before hands no traces on, so with traces it is always made now.
 */
export async function workflowsFrom(path: string | null, isTraced: boolean): Promise<WorkflowBundleOption> {
  if (isTraced)
    return bundleWorkflowCode({ ...WORKFLOW_BUNDLE_OPTIONS, workflowInterceptorModules: [TRACE_CONTEXT] });
  return path === null ? bundleWorkflowCode(WORKFLOW_BUNDLE_OPTIONS) : { codePath: path };
}
