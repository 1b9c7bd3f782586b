import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

type Run = (what: string, command: string, args: string[], cwd?: string) => Promise<void>;

interface Place {
  /** The document. */
  readonly document: string;
  /** `conformance/clients`. */
  readonly clients: string;
  /** The programs of a Python environment in which openapi-generator is installed. */
  readonly python: string;
  readonly run: Run;
}

/** One kind of client that openapi-generator makes. */
interface Kind {
  readonly name: string;
  /** Settings of the generator. */
  readonly options: readonly string[];
  /** What must be installed besides Python and Java, with arguments that only ask for its version. */
  readonly needs: readonly [command: string, ...args: string[]] | null;
  /** Compiles the client together with its program, and runs that. */
  charge(folder: string, place: Place): Promise<void>;
}

/** Without the requests that endpoints receive: a client never sends them, and typescript-fetch imports nothing for them. */
const WITHOUT_EVENTS = ['--global-property', 'apis,models,supportingFiles'];

const KINDS: readonly Kind[] = [
  {
    name: 'python',
    options: ['--package-name', 'recebe_client'],
    needs: null,
    async charge(folder, { python, run }) {
      const program = join(python, 'python');
      const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', './generated'];
      await run('Installing the client (python)', program, install, folder);
      await run('A charge by openapi-generator (python)', program, ['charge.py'], folder);
    },
  },
  {
    name: 'typescript-fetch',
    options: ['-p', 'importFileExtension=.js'],
    needs: null,
    async charge(folder, { clients, run }) {
      const compiler = join(clients, 'node_modules', '.bin', 'tsc');
      await run('Compiling the client (typescript-fetch)', compiler, ['--project', '.'], folder);
      const program = ['compiled/charge.js'];
      await run('A charge by openapi-generator (typescript-fetch)', process.execPath, program, folder);
    },
  },
  {
    name: 'go',
    options: [
      '--package-name',
      'recebe',
      '--git-host',
      'example.com',
      '--git-user-id',
      'recebe',
      '--git-repo-id',
      'client',
    ],
    needs: ['go', 'version'],
    async charge(folder, { run }) {
      await run('Looking for the modules of the client (go)', 'go', ['mod', 'tidy'], folder);
      await run('A charge by openapi-generator (go)', 'go', ['run', '.'], folder);
    },
  },
  {
    name: 'java',
    options: ['-p', 'hideGenerationTimestamp=true'],
    needs: ['mvn', '--version'],
    async charge(folder, { run }) {
      const client = join(folder, 'generated');
      cpSync(join(folder, 'Charge.java'), join(client, 'src', 'main', 'java', 'Charge.java'));
      const quiet = ['--quiet', '--batch-mode', '-DskipTests'];
      await run('Compiling the client (java)', 'mvn', [...quiet, 'compile'], client);
      const program = ['org.codehaus.mojo:exec-maven-plugin:3.5.0:java', '-Dexec.mainClass=Charge'];
      await run('A charge by openapi-generator (java)', 'mvn', [...quiet, ...program], client);
    },
  },
];

/**
 * Has openapi-generator make a client of each kind whose tools are installed, and has each make a charge and find it.
 * @returns the names under which the charges were made, and the kinds that were left out.
 */
export async function chargeByOpenApiGenerator(
  place: Place,
): Promise<{ readonly made: string[]; readonly leftOut: string[] }> {
  const { document, clients, python, run } = place;
  if (!(await isThere(run, 'java', ['-version'])))
    return { made: [], leftOut: KINDS.map(({ name }) => `${name} (needs Java)`) };
  const made: string[] = [];
  const leftOut: string[] = [];
  for (const { name, options, needs, charge } of KINDS) {
    const [command, ...args] = needs ?? [];
    if (command !== undefined && !(await isThere(run, command, args))) {
      leftOut.push(`${name} (needs ${command})`);
      continue;
    }
    const folder = join(clients, 'openapi-generator', name);
    const output = join(folder, 'generated');
    rmSync(output, { recursive: true, force: true });
    mkdirSync(output);
    const generate = ['generate', '-i', document, '-g', name, '-o', output, ...WITHOUT_EVENTS, ...options];
    await run(`openapi-generator (${name})`, join(python, 'openapi-generator-cli'), generate);
    await charge(folder, place);
    made.push(`openapi-generator ${name}`);
  }
  return { made, leftOut };
}

async function isThere(run: Run, command: string, args: readonly string[]): Promise<boolean> {
  return run(`Looking for ${command}`, command, [...args]).then(
    () => true,
    () => false,
  );
}
