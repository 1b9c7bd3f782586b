import { fileURLToPath } from 'node:url';
import {
  type BundleOptions,
  bundleWorkflowCode,
  DefaultLogger,
  type WorkflowBundleOption,
} from '@temporalio/worker';

const WORKFLOWS_PATH = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

/** The service's workflows, and how they are bundled. */
export const WORKFLOW_BUNDLE_OPTIONS: BundleOptions = {
  workflowsPath: WORKFLOWS_PATH,
  // The default level would list every file.
  logger: new DefaultLogger('WARN'),
  // Evaluated once instead of once per run. Safe because the SDK freezes shared modules, and `npm run
  // imports` refuses modules with state.
  preloadModules: [WORKFLOWS_PATH],
};

/** Propagates trace context; bundled only if traces are on. */
const TRACE_CONTEXT = fileURLToPath(new URL('../../workflows/lib/trace-context.ts', import.meta.url));

/**
 * The workflow code for workers: the bundle at `path`, created by `src/bundle.ts`, or a new one, which takes
 * seconds. A prebuilt bundle has no tracing, so with traces on a new one is always built.
 */
export async function workflowsFrom(path: string | null, isTraced: boolean): Promise<WorkflowBundleOption> {
  if (isTraced)
    return bundleWorkflowCode({ ...WORKFLOW_BUNDLE_OPTIONS, workflowInterceptorModules: [TRACE_CONTEXT] });
  return path === null ? bundleWorkflowCode(WORKFLOW_BUNDLE_OPTIONS) : { codePath: path };
}
