#!/usr/bin/env node
// `npx recebe`: the command line, on the project's own Node (scripts/bootstrap.mjs).
process.argv.splice(2, 0, 'cli');
await import('../scripts/bootstrap.mjs');
