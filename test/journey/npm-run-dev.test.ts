import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { freePorts, OwnMachine, saying } from '../support/servers/npm-start.ts';
import { anyRuns, processTree } from '../support/servers/process-tree.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** Two starts of API and worker, each of which takes seconds, on a busy machine half a minute. */
const TIMEOUT_MS = 300_000;

/** A project of the test's own, whose code it may change. */
class OwnProject implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'recebe-project-'));

  constructor() {
    for (const part of ['src', 'workflows', 'activities', 'scripts', 'docs', 'package.json'])
      cpSync(part, join(this.folder, part), { recursive: true });
    symlinkSync(resolve('node_modules'), join(this.folder, 'node_modules'));
  }

  /** Saves a file of the project with a change. */
  edit(file: string, change: (source: string) => string): void {
    const path = join(this.folder, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

it(
  'serves the last saved source on the same servers until Ctrl-C ends everything',
  async () => {
    using project = new OwnProject();
    await using machine = new OwnMachine();
    const ports = await freePorts();
    const dev = machine.run(process.execPath, [join(project.folder, 'scripts/dev.ts')], ports);
    await saying(dev, 'Ctrl-C stops everything');
    const servers = () =>
      ['postgres/cluster/postmaster.pid', 'temporal.db.pid'].map((file) =>
        Number.parseInt(readFileSync(join(machine.dataFolder, file), 'utf8'), 10),
      );
    const first = servers();

    project.edit('src/api/frame/unknown-route.ts', (source) => `${source}\nconst = 1;\n`);
    await saying(dev, 'API and worker have ended (exit code 1)');
    project.edit('src/api/frame/unknown-route.ts', (source) =>
      source.replace('\nconst = 1;\n', '').replace('There is nothing at this path', 'This was saved last'),
    );
    await saying(dev, 'src/api/frame/unknown-route.ts has changed: API and worker run again');
    const answer = await fetch(`http://localhost:${ports.PORT}/nowhere`);
    expect(await answer.text()).toContain('This was saved last');
    expect(servers()).toEqual(first);
    expect(first.every((pid) => anyRuns([pid]))).toBe(true);

    const tree = processTree(dev.pid);
    process.kill(dev.pid, 'SIGINT');
    await eventually(() => expect(anyRuns(tree)).toBe(false));
  },
  TIMEOUT_MS,
);
