import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  type WorkflowBundleOption,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** What this process has bundled, by its files: several test files of a process want the same, and each takes seconds. */
const bundles = new Map<string, Promise<WorkflowBundleWithSourceMap>>();

/**
 * Bundles a file of workflows, by default those of the service, as a worker would; once in this process.
 * @param interceptors modules that come between the workflows and their world.
 */
export function bundleWorkflows(
  file: URL = new URL('../../../workflows/index.ts', import.meta.url),
  interceptors: readonly URL[] = [],
): Promise<WorkflowBundleWithSourceMap> {
  const files = [file, ...interceptors].join(' ');
  const bundle = bundles.get(files) ?? newBundle(file, interceptors);
  bundles.set(files, bundle);
  return bundle;
}

function newBundle(file: URL, interceptors: readonly URL[]): Promise<WorkflowBundleWithSourceMap> {
  const workflowsPath = fileURLToPath(file);
  return bundleWorkflowCode({
    workflowsPath,
    preloadModules: [workflowsPath],
    workflowInterceptorModules: interceptors.map((module) => fileURLToPath(module)),
    logger: SILENT,
  });
}

/**
 * Where the workflows of the service are that were bundled once for the whole run, or null where the run has
 * no servers.
 */
export function bundleOfRun(): string | null {
  return process.env.RECEBE_TEST_WORKFLOW_BUNDLE ?? null;
}

/** The workflows of the service, bundled only where the run has not done so. */
export async function serviceWorkflows(): Promise<WorkflowBundleOption> {
  const codePath = bundleOfRun();
  return codePath === null ? bundleWorkflows() : { codePath };
}
