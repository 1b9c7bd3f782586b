import { writeFile } from 'node:fs/promises';
import { bundleWorkflowCode } from '@temporalio/worker';
import { WORKFLOW_BUNDLE_OPTIONS } from './run/workflow-bundle.ts';

// Bundles the workflows: `node src/bundle.ts FILE`. Workers that receive the file as WORKFLOW_BUNDLE start seconds earlier and
// without a bundler in memory. The file must match the version of the code, so it is built with the image.
const [file, ...more] = process.argv.slice(2);
if (file === undefined || more.length > 0) {
  process.stderr.write('usage: node src/bundle.ts FILE\n');
  process.exit(1);
}
const { code } = await bundleWorkflowCode(WORKFLOW_BUNDLE_OPTIONS);
await writeFile(file, code);
