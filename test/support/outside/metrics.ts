import type { ServiceProcess } from '../servers/processes.ts';
import { eventually } from '../waiting/eventually.ts';

/** A sample as Prometheus reads it: `name{label="value"} 1`. */
export type Samples = ReadonlyMap<string, number>;

/** What a process answers to Prometheus, which was started with `METRICS_PORT`. */
export async function metricsOf(process: ServiceProcess): Promise<Samples> {
  const [, url = ''] = await eventually(() => {
    const found = /"metricsUrl":"([^"]+)"/.exec(process.output());
    if (found === null) throw new Error('the process has not said where its metrics are');
    return found;
  });
  return samplesOf(await (await fetch(url)).text());
}

export function samplesOf(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}
