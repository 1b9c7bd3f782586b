import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The ids of a process, its children, theirs, and so on. */
export function processTree(root: number): number[] {
  const children = Map.groupBy(parentsOfAll(), ([, parent]) => parent);
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []).map(([child]) => child));
  return tree;
}

/** Whether any of these still runs. One that has ended but was not collected by its parent does not. */
export function anyRuns(pids: readonly number[]): boolean {
  const running = new Set(parentsOfAll().map(([pid]) => pid));
  return pids.some((pid) => running.has(pid));
}

/** Every process that runs, with its parent. Linux without the package procps has no `ps`. */
function parentsOfAll(): [pid: number, parent: number][] {
  return process.platform === 'linux' ? parentsInProc() : parentsFromPs();
}

function parentsInProc(): [pid: number, parent: number][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      // The name, in parentheses, may hold anything; state and parent follow its end (proc_pid_stat(5)).
      const [state, parent] = readIfThere(`/proc/${pid}/stat`)
        .replace(/^.*\) /s, '')
        .split(' ');
      return parent === undefined || state === 'Z' ? [] : [[Number(pid), Number(parent)] as [number, number]];
    });
}

function parentsFromPs(): [pid: number, parent: number][] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, state = ''] = line.trim().split(/\s+/);
    return state.startsWith('Z') ? [] : [[Number(pid), Number(parent)] as [number, number]];
  });
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
