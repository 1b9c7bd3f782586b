import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';

// A worker of the do-nothing workflow in a separate process, like a worker of the service. Arguments: address, task queue.
const [address = '', taskQueue = ''] = process.argv.slice(2);
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('./nothing-workflow.ts', import.meta.url)),
});
await worker.run();
await connection.close();
