import { writeFile } from 'node:fs/promises';
import { bundleWorkflowCode } from '@temporalio/worker';
import { WORKFLOW_BUNDLE_OPTIONS } from './run/workflow-bundle.ts';

// Bundles the workflows ahead, `node src/bundle.ts FILE`, for workers that are given the file as
// WORKFLOW_BUNDLE: they start seconds earlier and without a bundler in memory. The file belongs to this
// version of the code: it is made where an image is.
const [file, ...more] = process.argv.slice(2);
if (file === undefined || more.length > 0) {
  process.stderr.write('usage: node src/bundle.ts FILE\n');
  process.exit(1);
}
const { code } = await bundleWorkflowCode(WORKFLOW_BUNDLE_OPTIONS);
await writeFile(file, code);
