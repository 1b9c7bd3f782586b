import './service.ts';

// Loads what API and worker load, and ends: `NODE_COMPILE_CACHE=FOLDER node src/compile.ts`. Node keeps in the folder what it has
// compiled, for the account, Node and files of this call. Processes that find it start with two thirds of the CPU time.
process.exit();
