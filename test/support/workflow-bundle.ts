import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Bundles a file of workflows, by default those of the service, as a worker would. Takes about a second. */
export function bundleWorkflows(
  file: URL = new URL('../../workflows/index.ts', import.meta.url),
): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({ workflowsPath: fileURLToPath(file), logger: SILENT });
}
