// Loaded before a program (node --import), makes every disk look nearly full to it.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

fs.statfsSync = () => ({ bsize: 4096, blocks: 1_000_000, bavail: 1_000 });
syncBuiltinESMExports();
