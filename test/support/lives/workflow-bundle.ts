import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/**
 * Bundles a file of workflows, by default those of the service, as a worker would. Takes about a second.
 * @param interceptors modules that come between the workflows and their world.
 */
export function bundleWorkflows(
  file: URL = new URL('../../../workflows/index.ts', import.meta.url),
  interceptors: readonly URL[] = [],
): Promise<WorkflowBundleWithSourceMap> {
  const workflowsPath = fileURLToPath(file);
  return bundleWorkflowCode({
    workflowsPath,
    preloadModules: [workflowsPath],
    workflowInterceptorModules: interceptors.map((module) => fileURLToPath(module)),
    logger: SILENT,
  });
}
